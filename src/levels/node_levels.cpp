// SPDX-License-Identifier: Apache-2.0
#include "levels/node_levels.hpp"

#include <numeric>

namespace espalier {

NodeLevels::NodeLevels(std::string name, const NodeCore& core, std::vector<NodeLevel> levels)
    : name_(std::move(name)), core_(core), levels_(std::move(levels)) {
  int cores = 1;
  for (const NodeLevel& level : levels_) cores_in_.push_back(cores *= level.holds);
}

std::size_t NodeLevels::level_between(int one, int other) const {
  std::size_t level = 0;
  while (group_of(level, one) != group_of(level, other)) ++level;
  return level;
}

std::vector<int> placed_in_order(int ranks) {
  std::vector<int> cores(static_cast<std::size_t>(ranks));
  std::iota(cores.begin(), cores.end(), 0);
  return cores;
}

std::vector<int> placed_in_turn(const NodeLevels& node, int ranks) {
  std::vector<int> cores;
  for (int rank = 0; rank < ranks; ++rank) {
    int core = 0, rest = rank;
    for (std::size_t level = node.levels().size(); level-- > 0;) {
      const int parts = node.levels()[level].holds;
      core += rest % parts * (node.cores_in(level) / parts);
      rest /= parts;
    }
    cores.push_back(core);
  }
  return cores;
}

}  // namespace espalier
