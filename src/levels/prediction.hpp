// SPDX-License-Identifier: Apache-2.0
// What registered algorithms take inside a node, by node_run.hpp.
#pragma once

#include "core/choice.hpp"
#include "levels/node_run.hpp"

namespace espalier {

inline constexpr std::size_t segments_on_nodes[] = {0, 4 << 10, 16 << 10, 64 << 10};

struct Prediction {
  Choice choice;
  NodeCost cost;
};

// Of each algorithm that fits, without any network, the fastest of its radices and of these segments (0: it is not
// cut); the fastest algorithm first.
[[nodiscard]] std::vector<Prediction> predictions(const Problem& problem, const NodeJob& job,
                                                  std::span<const std::size_t> segments = segments_on_nodes);

}  // namespace espalier
