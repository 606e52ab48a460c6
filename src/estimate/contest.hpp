// SPDX-License-Identifier: Apache-2.0
// Which of the algorithms that suit a network is the fastest by estimate, if it gains clearly on what the native MPI
// may do at best.
#pragma once

#include <optional>

#include "algorithms/candidacy.hpp"
#include "core/choice.hpp"

namespace espalier {

// One of ours, and what it is on the shape's network.
struct Contestant {
  const Algorithm* algorithm = nullptr;
  std::optional<Pipeline> pipeline;
};

// Nothing: one that no algorithm is said to suit.
[[nodiscard]] std::optional<NetworkKind> kind_of(const Shape& shape);

// Nothing: it is no contender on the shape's network.
[[nodiscard]] std::optional<Contestant> contestant(const Algorithm& algorithm, const Shape& shape);

// Whether there is anything to compare: one of ours for the shape's network, and what the native MPI may do.
[[nodiscard]] bool has_contest(Collective collective, const Shape& shape);

// Nothing: the native MPI.
[[nodiscard]] std::optional<Contestant> winner_of_contest(const Problem& problem, const Shape& shape);

}  // namespace espalier
