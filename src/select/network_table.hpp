// SPDX-License-Identifier: Apache-2.0
// What is chosen where the network of a communicator is known.
#pragma once

#include <optional>

#include "select/choice.hpp"

namespace espalier {

// Trees that share no link, where there are several and the message is long enough to pay for the way along them. Like
// the fixed table a function of shape and size alone. Nothing: the fixed table decides.
[[nodiscard]] std::optional<Choice> choice_for_network(const Problem& problem, const Shape& shape);

// The best size of a segment: of N/trees bytes down a tree of such a height, each hop at `bytes_per_second` and costing
// `hop_seconds` for each segment. (The usual optimum of a pipeline; simpler than equation 3 of
// paper 1, which cost_model.hpp has.)
[[nodiscard]] std::size_t best_segment(std::size_t bytes, int trees, int height, double bytes_per_second,
                                       double hop_seconds);

}  // namespace espalier
