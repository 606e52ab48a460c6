// SPDX-License-Identifier: Apache-2.0
// Which of the algorithms that suit a network is the fastest by estimate, if it gains clearly on what the native MPI
// may do at best.
#pragma once

#include <optional>

#include "algorithms/candidacy.hpp"
#include "core/choice.hpp"

namespace espalier {

// One of ours, and what it is on the shape's network, or among its nodes.
struct Contestant {
  const Algorithm* algorithm = nullptr;
  std::optional<Pipeline> pipeline;
  int leaders = 0;  // as Choice has them
};

// Over the default transport.
[[nodiscard]] Choice choice_of(const Contestant& one, const Problem& problem, const Shape& shape);

// Nothing: one that no algorithm is said to suit.
[[nodiscard]] std::optional<NetworkKind> kind_of(const Shape& shape);

// Nothing: it is no contender on the shape's network.
[[nodiscard]] std::optional<Contestant> contestant(const Algorithm& algorithm, const Shape& shape, int leaders = 0);

// Whether there is anything to compare: one of ours for the shape's network, and what the native MPI may do.
[[nodiscard]] bool has_contest(Collective collective, const Shape& shape);

// Nothing: the native MPI.
[[nodiscard]] std::optional<Contestant> winner_of_contest(const Problem& problem, const Shape& shape);

}  // namespace espalier
