// SPDX-License-Identifier: Apache-2.0
#include "scale/jobs.hpp"

namespace espalier {

namespace {

std::string names(int nodes) {
  std::string text;
  for (int node = 0; node < nodes; ++node) text += (node == 0 ? "\"node" : ", \"node") + std::to_string(node) + "\"";
  return text;
}

ScaledJob on_torus(int x, int y, int z) {
  const std::string comma = ", ", by = "x";
  const int nodes = x * y * z;
  return {.name = "torus " + std::to_string(x) + by + std::to_string(y) + by + std::to_string(z),
          .ranks = nodes,
          .description = "[torus]\nextents = [" + std::to_string(x) + comma + std::to_string(y) + comma +
                         std::to_string(z) + "]\nrate = 5e9\nnodes = [" + names(nodes) + "]\n"};
}

ScaledJob on_switch(int nodes) {
  constexpr int ranks_per_node = 128;
  return {.name = "switch " + std::to_string(nodes) + " x 128",
          .ranks = nodes * ranks_per_node,
          .ranks_per_node = ranks_per_node,
          .description = "[rails]\nrate = 25e9\nnodes = [" + names(nodes) + "]\n"};
}

}  // namespace

std::vector<ScaledJob> scaled_jobs() {
  return {on_torus(4, 4, 4), on_torus(16, 8, 8), on_torus(48, 6, 32), on_torus(48, 54, 32),
          on_switch(8),      on_switch(72),      on_switch(648)};
}

std::vector<int> nodes_of(const ScaledJob& job) {
  std::vector<int> nodes;
  for (Rank rank = 0; rank < job.ranks; ++rank) nodes.push_back(rank / job.ranks_per_node);
  return nodes;
}

}  // namespace espalier
