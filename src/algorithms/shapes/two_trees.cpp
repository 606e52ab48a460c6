// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/two_trees.hpp"

#include <algorithm>

namespace espalier {

namespace {

using Nodes = std::span<const int>;

class Grower {
 public:
  explicit Grower(int root) : feeds_{root, root} {}

  void add_site(Nodes nodes) {
    if (nodes.empty()) return;
    const std::size_t half = (nodes.size() + 1) / 2;
    const Nodes tree[] = {nodes.first(half), nodes.subspan(half)};
    const bool is_pair = !tree[1].empty();
    add(feeds_[0], tree[0][0], 0);
    add(feeds_[1], is_pair ? tree[1][0] : tree[0][0], 1);
    std::vector<int> idle[] = {add_tree(tree[0], 0), add_tree(tree[1], 1)};
    for (std::size_t k = 0; k < tree[1].size(); ++k) add(idle[0][k], tree[1][k], 0);
    for (std::size_t k = 0; is_pair && k < tree[0].size(); ++k) add(idle[1][k], tree[0][k], 1);
    idle[0].erase(idle[0].begin(), idle[0].begin() + static_cast<std::ptrdiff_t>(tree[1].size()));
    if (is_pair) idle[1].erase(idle[1].begin(), idle[1].begin() + static_cast<std::ptrdiff_t>(tree[0].size()));
    // Where A is the larger one, B has nothing left, but A has two: a node of A has the other half by then, too.
    const bool b_has_one = is_pair && !idle[1].empty();
    feeds_[0] = idle[0].back();
    feeds_[1] = b_has_one ? idle[1].back() : idle[0].front();
  }

  std::vector<LaneEdge> edges;

 private:
  void add(int from, int to, int half) { edges.push_back({from, to, half, 0}); }

  // A complete binary tree; returns who has sending NICs left, once for each.
  std::vector<int> add_tree(Nodes tree, int half) {
    std::vector<int> idle;
    for (std::size_t k = 0; k < tree.size(); ++k) {
      for (const std::size_t child : {2 * k + 1, 2 * k + 2}) {
        if (child < tree.size()) {
          add(tree[k], tree[child], half);
        } else {
          idle.push_back(tree[k]);
        }
      }
    }
    return idle;
  }

  int feeds_[2];  // who sends each half into the next site
};

// Every node has at most two edges out and two in. Seen as a graph of senders and receivers these are paths and cycles
// of even length: lanes alternate along them.
class LaneAssignment {
 public:
  explicit LaneAssignment(std::vector<LaneEdge>& edges) : edges_(edges), done_(edges.size(), false) {
    int nodes = 0;
    for (const LaneEdge& edge : edges) nodes = std::max({nodes, edge.from + 1, edge.to + 1});
    for (auto& side : at_) side.resize(static_cast<std::size_t>(nodes));
    for (std::size_t k = 0; k < edges.size(); ++k) {
      at_[sending][edges[k].from].push_back(k);
      at_[receiving][edges[k].to].push_back(k);
    }
  }

  void run() {
    for (const int side : {sending, receiving}) {  // ends of paths first
      for (const std::vector<std::size_t>& here : at_[side]) {
        if (here.size() == 1 && !done_[here[0]]) follow(here[0], 1 - side);
      }
    }
    for (std::size_t k = 0; k < edges_.size(); ++k) {
      if (!done_[k]) follow(k, receiving);
    }
  }

 private:
  enum : int { sending, receiving };

  // From edge k on, through its sender or its receiver.
  void follow(std::size_t k, int side) {
    for (int lane = 0;; lane = 1 - lane, side = 1 - side) {
      edges_[k].lane = lane;
      done_[k] = true;
      const int node = side == sending ? edges_[k].from : edges_[k].to;
      const auto& here = at_[side][node];
      const auto next = std::ranges::find_if(here, [&](std::size_t other) { return !done_[other]; });
      if (next == here.end()) return;
      k = *next;
    }
  }

  std::vector<LaneEdge>& edges_;
  std::vector<bool> done_;
  std::vector<std::vector<std::size_t>> at_[2];
};

}  // namespace

std::vector<LaneEdge> two_trees(std::span<const std::vector<int>> sites) {
  Grower grower(sites[0][0]);
  for (std::size_t s = 0; s < sites.size(); ++s) grower.add_site(Nodes(sites[s]).subspan(s == 0 ? 1 : 0));
  LaneAssignment(grower.edges).run();
  return std::move(grower.edges);
}

}  // namespace espalier
