// SPDX-License-Identifier: Apache-2.0
#include "topology/ranks_by_node.hpp"

#include <algorithm>
#include <unordered_map>

namespace espalier {

RanksByNode::RanksByNode(std::span<const int> node_of) {
  std::unordered_map<int, int> ours;
  for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
    const auto [found, is_new] = ours.try_emplace(node_of[rank], nodes());
    if (is_new) ranks_on_.emplace_back();
    node_of_.push_back(found->second);
    ranks_on_[static_cast<std::size_t>(found->second)].push_back(static_cast<Rank>(rank));
  }
  const auto fewest = std::ranges::min_element(ranks_on_, {}, &std::vector<Rank>::size);
  if (fewest != ranks_on_.end()) fewest_ranks_ = static_cast<Rank>(fewest->size());
}

}  // namespace espalier
