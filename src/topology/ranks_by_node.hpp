// SPDX-License-Identifier: Apache-2.0
// Which ranks of a communicator share a node. Equal on all of them.
#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"

namespace espalier {

class RanksByNode {
 public:
  // Each rank's node, by any number. Nodes are numbered again, in the order of their lowest ranks.
  explicit RanksByNode(std::span<const int> node_of);

  [[nodiscard]] int nodes() const { return static_cast<int>(ranks_on_.size()); }
  [[nodiscard]] int node_of(Rank rank) const { return node_of_[static_cast<std::size_t>(rank)]; }
  // In ascending order; never empty.
  [[nodiscard]] std::span<const Rank> ranks_on(int node) const { return ranks_on_[static_cast<std::size_t>(node)]; }
  // Of the node that has the fewest.
  [[nodiscard]] Rank fewest_ranks() const { return fewest_ranks_; }
  // There are several nodes, and several ranks on one of them.
  [[nodiscard]] bool has_levels() const { return nodes() > 1 && ranks_on_.size() < node_of_.size(); }

 private:
  std::vector<int> node_of_;
  std::vector<std::vector<Rank>> ranks_on_;
  Rank fewest_ranks_ = 0;
};

}  // namespace espalier
