// SPDX-License-Identifier: Apache-2.0
#include "topology/ranks_in_node.hpp"

#include <algorithm>

namespace espalier {

RanksInNode::RanksInNode(std::span<const Rank> ranks) : count_(static_cast<Rank>(ranks.size())) {
  if (ranks.empty()) return;
  first_ = ranks.front();
  is_stretch_ = ranks.back() - first_ == count_ - 1;
  if (!is_stretch_) table_.assign(ranks.begin(), ranks.end());
}

int RanksInNode::number_in_table(Rank rank) const {
  const auto found = std::ranges::lower_bound(table_, rank);
  return found != table_.end() && *found == rank ? static_cast<int>(found - table_.begin()) : -1;
}

}  // namespace espalier
