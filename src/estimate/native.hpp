// SPDX-License-Identifier: Apache-2.0
// What the native MPI counts for. What it does is not known: it is taken for the best of the baseline algorithms
// (Algorithm::is_baseline), which go by rank numbers, over one NIC, which is more than most do.
#pragma once

#include <optional>
#include <vector>

#include "core/choice.hpp"
#include "topology/network.hpp"

namespace espalier {

// Any of them it may do.
[[nodiscard]] std::vector<Choice> native_choices(Collective collective);

// Even an MPI that can use several NICs takes one for the messages of a collective.
[[nodiscard]] Network as_native_uses(const Network& network);

// By one of them that takes this many ranks; the shape can be estimated.
[[nodiscard]] double estimated_seconds_of_native(const Choice& choice, const Problem& problem, const Shape& shape);

// By the best. Nothing where the network is not known, or nothing of what it may do.
[[nodiscard]] std::optional<double> estimated_native_seconds(const Problem& problem, const Shape& shape);

// Of one rank that adds each element once.
[[nodiscard]] double arithmetic_seconds(const Problem& problem, const Network& network);

}  // namespace espalier
