// SPDX-License-Identifier: Apache-2.0
#include "topology/ranks_by_node.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace espalier {

namespace {

// As many on each, one after the other.
bool are_alike(std::span<const int> numbers, int nodes) {
  if (nodes == 0 || numbers.size() % static_cast<std::size_t>(nodes) != 0) return false;
  const std::size_t each = numbers.size() / static_cast<std::size_t>(nodes);
  for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
    if (static_cast<std::size_t>(numbers[rank]) != rank / each) return false;
  }
  return true;
}

}  // namespace

RanksByNode::RanksByNode(std::span<const int> node_of) {
  std::unordered_map<int, int> ours;
  std::vector<int> numbers;
  numbers.reserve(node_of.size());
  for (const int node : node_of) {
    numbers.push_back(ours.try_emplace(node, static_cast<int>(ours.size())).first->second);
  }
  nodes_ = static_cast<int>(ours.size());
  node_of_ = RankNumbers(std::span<const int>(numbers));
  if (are_alike(numbers, nodes_)) {
    fewest_ranks_ = static_cast<Rank>(numbers.size() / ours.size());
  } else {
    list_ranks(numbers);
  }
}

void RanksByNode::list_ranks(std::span<const int> numbers) {
  if (nodes_ == 0) return;
  begins_.assign(static_cast<std::size_t>(nodes_) + 1, 0);
  for (const int node : numbers) ++begins_[static_cast<std::size_t>(node) + 1];
  fewest_ranks_ = static_cast<Rank>(*std::min_element(begins_.begin() + 1, begins_.end()));
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  ranks_.resize(numbers.size());
  std::vector<std::uint32_t> at(begins_.begin(), begins_.end() - 1);
  for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
    ranks_[at[static_cast<std::size_t>(numbers[rank])]++] = static_cast<Rank>(rank);
  }
}

}  // namespace espalier
