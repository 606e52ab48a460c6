// SPDX-License-Identifier: Apache-2.0
// The jobs of which one rank is played.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace espalier {

struct ScaledJob {
  std::string name;  // "torus 48x6x32"
  Rank ranks = 1;
  int ranks_per_node = 1;
  std::string description;  // of its machine, as a file has it
};

// Tori with one rank a node, and nodes with 128 ranks each on a switch, in the order of ranks.
[[nodiscard]] std::vector<ScaledJob> scaled_jobs();

// Each rank's node.
[[nodiscard]] std::vector<int> nodes_of(const ScaledJob& job);

}  // namespace espalier
