// SPDX-License-Identifier: Apache-2.0
#include "topology/packing.hpp"

#include <algorithm>
#include <limits>

namespace espalier {

namespace {

// Arcs in pairs: arc a and its opposite a ^ 1, so that a flow can be taken back.
class FlowGraph {
 public:
  FlowGraph(int nodes, std::span<const Arc> arcs) : out_(nodes), reached_by_(nodes) {
    double unit = std::numeric_limits<double>::infinity();
    for (const Arc& arc : arcs) unit = std::min(unit, arc.bytes_per_second);
    for (const Arc& arc : arcs) {
      // A hair more, so that a rate of three times another one is not rounded down to twice.
      add(arc.from, arc.to, static_cast<int>(arc.bytes_per_second / unit * (1 + 1e-9)));
    }
  }

  [[nodiscard]] int nodes() const { return static_cast<int>(out_.size()); }
  [[nodiscard]] std::span<const int> arcs_from(int node) const { return out_[node]; }
  [[nodiscard]] int head(int arc) const { return head_[arc]; }
  [[nodiscard]] bool has_room(int arc) const { return capacity_[arc] > 0; }
  [[nodiscard]] bool is_forward(int arc) const { return arc % 2 == 0; }
  void take(int arc) { --capacity_[arc]; }
  void give_back(int arc) { ++capacity_[arc]; }

  // Whether `wanted` units can flow. Leaves the graph as it was.
  [[nodiscard]] bool can_flow(int from, int to, int wanted) { return flow(from, to, wanted) == wanted; }

  [[nodiscard]] int flow(int from, int to, int most) {
    changed_.clear();
    int units = 0;
    while (units < most && augment(from, to)) ++units;
    for (const int arc : changed_) ++capacity_[arc], --capacity_[arc ^ 1];
    return units;
  }

 private:
  void add(int from, int to, int capacity) {
    out_[from].push_back(static_cast<int>(head_.size()));
    head_.push_back(to);
    capacity_.push_back(capacity);
    out_[to].push_back(static_cast<int>(head_.size()));
    head_.push_back(from);
    capacity_.push_back(0);
  }

  // One unit along a shortest route that has room.
  bool augment(int from, int to) {
    std::ranges::fill(reached_by_, -1);
    queue_.assign(1, from);
    for (std::size_t k = 0; k < queue_.size() && reached_by_[to] < 0; ++k) {
      for (const int arc : out_[queue_[k]]) {
        const int next = head_[arc];
        if (capacity_[arc] == 0 || next == from || reached_by_[next] >= 0) continue;
        reached_by_[next] = arc;
        queue_.push_back(next);
      }
    }
    if (reached_by_[to] < 0) return false;
    for (int node = to; node != from; node = head_[reached_by_[node] ^ 1]) {
      const int arc = reached_by_[node];
      --capacity_[arc], ++capacity_[arc ^ 1];
      changed_.push_back(arc);
    }
    return true;
  }

  std::vector<std::vector<int>> out_;
  std::vector<int> head_, capacity_;
  std::vector<int> reached_by_, queue_, changed_;
};

int minimum_cut(FlowGraph& graph, int root, int most) {
  int cut = most;
  for (int node = 0; node < graph.nodes(); ++node) {
    if (node != root) cut = graph.flow(root, node, cut);
  }
  return cut;
}

// One tree, such that `trees_left` others still fit next to it.
std::vector<int> grow_tree(FlowGraph& graph, int root, int trees_left) {
  std::vector<int> parents(graph.nodes(), no_node);
  std::vector<int> queue = {root};
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (const int arc : graph.arcs_from(queue[k])) {
      const int next = graph.head(arc);
      if (!graph.is_forward(arc) || !graph.has_room(arc) || next == root || parents[next] != no_node) continue;
      graph.take(arc);
      if (!graph.can_flow(root, next, trees_left)) {
        graph.give_back(arc);
        continue;
      }
      parents[next] = queue[k];
      queue.push_back(next);
    }
  }
  return parents;
}

}  // namespace

int minimum_cut(int nodes, std::span<const Arc> arcs, int root) {
  FlowGraph graph(nodes, arcs);
  return nodes == 1 ? 0 : minimum_cut(graph, root, std::numeric_limits<int>::max());
}

TreePacking pack_trees(int nodes, std::span<const Arc> arcs, int root, int most) {
  TreePacking packing{.root = root, .parents = {}};
  if (nodes == 1) return packing;
  FlowGraph graph(nodes, arcs);
  const int trees = minimum_cut(graph, root, most);
  for (int tree = 0; tree < trees; ++tree) packing.parents.push_back(grow_tree(graph, root, trees - tree - 1));
  return packing;
}

}  // namespace espalier
