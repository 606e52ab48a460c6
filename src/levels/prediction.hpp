// SPDX-License-Identifier: Apache-2.0
// What registered algorithms take inside a node, by node_run.hpp.
#pragma once

#include "core/choice.hpp"
#include "levels/node_run.hpp"

namespace espalier {

struct Prediction {
  Choice choice;
  NodeCost cost;
};

// Of each algorithm that fits, without any network, the fastest of its radices and cuts; the fastest algorithm first.
[[nodiscard]] std::vector<Prediction> predictions(const Problem& problem, const NodeJob& job);

}  // namespace espalier
