// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/packed_trees.hpp"

#include <algorithm>
#include <limits>

namespace espalier {

namespace {

// Of each node; every node is walked up from once, until a node is met that knows its answer.
std::vector<int> heights_of(const std::vector<int>& parents) {
  std::vector<int> heights(parents.size(), 0);
  for (std::size_t node = 0; node < parents.size(); ++node) {
    int height = 0;
    for (int above = parents[node]; above != no_node; above = parents[above]) {
      if (heights[above] >= ++height) break;
      heights[above] = height;
    }
  }
  return heights;
}

// Every node, by its hops from one.
class HopSearch {
 public:
  HopSearch(const std::vector<std::vector<int>>& next, int from)
      : before_(next.size(), no_node), hops_(next.size(), -1) {
    std::vector<int> queue = {from};
    hops_[from] = 0;
    for (std::size_t k = 0; k < queue.size(); ++k) {
      for (const int other : next[queue[k]]) {
        if (hops_[other] >= 0) continue;
        hops_[other] = hops_[queue[k]] + 1;
        before_[other] = queue[k];
        queue.push_back(other);
      }
    }
    farthest_ = queue.back();
  }

  [[nodiscard]] int farthest() const { return farthest_; }
  [[nodiscard]] int reach() const { return hops_[farthest_]; }
  [[nodiscard]] int middle() const {
    int node = farthest_;
    for (int hop = reach() / 2; hop > 0; --hop) node = before_[node];
    return node;
  }

 private:
  std::vector<int> before_, hops_;
  int farthest_ = 0;
};

// With more nodes a search from each takes too long.
constexpr int max_searched = 128;

}  // namespace

NodeTree packed_tree(const TreePacking& packing, int node, int tree) {
  const std::vector<int>& parents = packing.parents[tree];
  const std::vector<int> heights = heights_of(parents);
  NodeTree found{.parent = parents[node], .children = {}};
  for (std::size_t other = 0; other < parents.size(); ++other) {
    if (parents[other] == node) found.children.push_back({static_cast<int>(other), heights[other]});
  }
  return found;
}

int packed_tree_height(const TreePacking& packing, int tree) { return heights_of(packing.parents[tree])[packing.root]; }

int central_node(const Network& network) {
  std::vector<std::vector<int>> next(network.nodes());
  for (const Arc& arc : network.arcs()) next[arc.from].push_back(arc.to);
  if (network.nodes() > max_searched) return HopSearch(next, HopSearch(next, 0).farthest()).middle();
  int best = 0, least = std::numeric_limits<int>::max();
  for (int node = 0; node < network.nodes(); ++node) {
    const int reach = HopSearch(next, node).reach();
    if (reach < least) best = node, least = reach;
  }
  return best;
}

}  // namespace espalier
