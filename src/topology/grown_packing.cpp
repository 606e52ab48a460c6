// SPDX-License-Identifier: Apache-2.0
#include "topology/grown_packing.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>

namespace espalier {

namespace {

constexpr int no_arc = -1;
constexpr int no_tree = -1;

// How often trees may take arcs from each other, for each node.
constexpr int max_thefts_per_node = 4;

// Arcs by the node at one of their ends: one after the other in memory, as large graphs are walked again and again.
class ArcsByNode {
 public:
  ArcsByNode(int nodes, const std::vector<int>& node_of_arc) : first_(nodes + 1, 0), arcs_(node_of_arc.size()) {
    for (const int node : node_of_arc) ++first_[node + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<int> at(first_.begin(), first_.end() - 1);
    for (std::size_t arc = 0; arc < node_of_arc.size(); ++arc) arcs_[at[node_of_arc[arc]]++] = static_cast<int>(arc);
  }

  [[nodiscard]] std::span<const int> of(int node) const {
    return std::span(arcs_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  std::vector<int> first_, arcs_;
};

// One for each unit of capacity, of which the slowest arc has one.
class UnitArcs {
 public:
  UnitArcs(int nodes, std::span<const Arc> arcs)
      : nodes_(nodes),
        tail_(ends(arcs, &Arc::from)),
        head_(ends(arcs, &Arc::to)),
        out_(nodes, tail_),
        in_(nodes, head_) {}

  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] std::size_t count() const { return tail_.size(); }
  [[nodiscard]] int tail(int arc) const { return tail_[arc]; }
  [[nodiscard]] int head(int arc) const { return head_[arc]; }
  [[nodiscard]] std::span<const int> out_of(int node) const { return out_.of(node); }
  [[nodiscard]] std::span<const int> into(int node) const { return in_.of(node); }

  // No packing has more trees than arcs enter any node, or leave the root.
  [[nodiscard]] int max_trees(int root) const {
    std::size_t least = out_of(root).size();
    for (int node = 0; node < nodes_; ++node) {
      if (node != root) least = std::min(least, into(node).size());
    }
    return static_cast<int>(least);
  }

 private:
  [[nodiscard]] static std::vector<int> ends(std::span<const Arc> arcs, int Arc::*end) {
    double unit = std::numeric_limits<double>::infinity();
    for (const Arc& arc : arcs) unit = std::min(unit, arc.bytes_per_second);
    std::vector<int> found;
    found.reserve(arcs.size());
    for (const Arc& arc : arcs) {
      const int units = std::min(static_cast<int>(arc.bytes_per_second / unit * (1 + 1e-9)), max_packed_trees);
      found.insert(found.end(), units, arc.*end);
    }
    return found;
  }

  const int nodes_;
  const std::vector<int> tail_, head_;
  const ArcsByNode out_, in_;
};

class GrowingTrees {
 public:
  GrowingTrees(const UnitArcs& arcs, int root, int trees)
      : arcs_(arcs),
        root_(root),
        trees_(trees),
        user_(arcs.count(), no_tree),
        arc_to_(trees, std::vector<int>(arcs.nodes(), no_arc)),
        children_(trees, std::vector<int>(arcs.nodes(), 0)),
        size_(trees, 0),
        is_queued_(arcs.nodes(), 0) {}

  // Whether every tree reaches every node.
  [[nodiscard]] bool grow() {
    ask_those_after(root_);
    const int nodes = arcs_.nodes();
    for (int thefts = max_thefts_per_node * nodes; thefts > 0; --thefts) {
      settle();
      const int node = first_that_lacks_one();
      if (node == nodes) return true;
      if (!steal(node)) return false;
    }
    return false;
  }

  [[nodiscard]] std::vector<int> parents(int tree) const {
    std::vector<int> found;
    for (const int arc : arc_to_[tree]) found.push_back(arc == no_arc ? no_node : arcs_.tail(arc));
    return found;
  }

 private:
  [[nodiscard]] bool is_in(int tree, int node) const { return node == root_ || arc_to_[tree][node] != no_arc; }

  // Of the nodes that are asked, first come first served, whether they can join more.
  void ask(int node) {
    if (node == root_ || is_queued_[node] != 0) return;
    is_queued_[node] = 1;
    queue_.push_back(node);
  }
  void ask_those_after(int node) {
    for (const int arc : arcs_.out_of(node)) ask(arcs_.head(arc));
  }

  void settle() {
    while (!queue_.empty()) {
      const int node = queue_.front();
      queue_.pop_front();
      is_queued_[node] = 0;
      if (join_all(node)) ask_those_after(node);
    }
  }

  // The smallest tree first, so that all get their share of the root's arcs.
  bool join_all(int node) {
    lacking_.clear();
    for (int tree = 0; tree < trees_; ++tree) {
      if (!is_in(tree, node)) lacking_.push_back(tree);
    }
    std::ranges::sort(lacking_, {}, [&](int tree) { return std::pair(size_[tree], tree); });
    bool any = false;
    for (const int tree : lacking_) {
      tried_.assign(arcs_.into(node).size(), false);
      any = join(tree, node) || any;
    }
    return any;
  }

  // By an arc that no tree uses, or else that another tree leaves for another one.
  bool join(int tree, int node) { return join_by_free_arc(tree, node) || join_by_taken_arc(tree, node); }

  bool join_by_free_arc(int tree, int node) {
    for (const int arc : arcs_.into(node)) {
      if (user_[arc] != no_tree || !may_use(tree, arc)) continue;
      use(tree, arc);
      return true;
    }
    return false;
  }

  bool join_by_taken_arc(int tree, int node) {
    const std::span<const int> into = arcs_.into(node);
    for (std::size_t k = 0; k < into.size(); ++k) {
      const int arc = into[k];
      if (tried_[k] || user_[arc] == no_tree || !may_use(tree, arc)) continue;
      tried_[k] = true;
      if (!join(user_[arc], node)) continue;
      use(tree, arc);
      return true;
    }
    return false;
  }

  // It comes from a node of the tree that is not below its head.
  [[nodiscard]] bool may_use(int tree, int arc) const {
    const int from = arcs_.tail(arc), to = arcs_.head(arc);
    if (!is_in(tree, from) || user_[arc] == tree) return false;
    if (children_[tree][to] == 0) return true;
    for (int node = from; node != root_; node = arcs_.tail(arc_to_[tree][node])) {
      if (node == to) return false;
    }
    return true;
  }

  void use(int tree, int arc) {
    const int node = arcs_.head(arc);
    const int former = arc_to_[tree][node];
    if (former != no_arc) {
      if (user_[former] == tree) user_[former] = no_tree;
      --children_[tree][arcs_.tail(former)];
    } else {
      ++size_[tree];
    }
    arc_to_[tree][node] = arc;
    ++children_[tree][arcs_.tail(arc)];
    user_[arc] = tree;
  }

  [[nodiscard]] int first_that_lacks_one() {
    const int nodes = arcs_.nodes();
    for (int seen = 0; seen < nodes; ++seen, last_ = (last_ + 1) % nodes) {
      for (int tree = 0; tree < trees_ && last_ != root_; ++tree) {
        if (!is_in(tree, last_)) return last_;
      }
    }
    return nodes;
  }

  // Another arc each time, so that no two trees take the same one from each other again and again.
  bool steal(int node) {
    const std::span<const int> into = arcs_.into(node);
    for (std::size_t seen = 0; seen < into.size(); ++seen) {
      const int arc = into[++turn_ % into.size()];
      for (int tree = 0; tree < trees_; ++tree) {
        if (is_in(tree, node) || !may_use(tree, arc)) continue;
        cut(user_[arc], node);
        use(tree, arc);
        ask_those_after(node);
        ask(node);
        return true;
      }
    }
    return false;
  }

  // The branch of a tree that begins there is no longer part of it.
  void cut(int tree, int node) {
    std::vector<int> branch = {node};
    for (std::size_t k = 0; k < branch.size(); ++k) {
      for (const int arc : arcs_.out_of(branch[k])) {
        if (user_[arc] == tree) branch.push_back(arcs_.head(arc));
      }
    }
    for (const int each : branch) {
      const int arc = arc_to_[tree][each];
      user_[arc] = no_tree;
      --children_[tree][arcs_.tail(arc)];
      arc_to_[tree][each] = no_arc;
      --size_[tree];
    }
    for (const int each : branch) ask(each);
  }

  const UnitArcs& arcs_;
  int root_, trees_;
  std::vector<int> user_;                   // of each arc
  std::vector<std::vector<int>> arc_to_;    // of each tree, into each node
  std::vector<std::vector<int>> children_;  // how many each node has in each tree
  std::vector<int> size_;
  std::deque<int> queue_;
  std::vector<char> is_queued_;
  std::vector<int> lacking_;  // trees that a node is not in
  std::vector<char> tried_;   // of the arcs into a node that joins a tree
  int last_ = 0;
  std::size_t turn_ = 0;
};

}  // namespace

TreePacking grow_packing(int nodes, std::span<const Arc> arcs, int root, int most) {
  TreePacking packing{.root = root, .parents = {}};
  if (nodes == 1) return packing;
  const UnitArcs units(nodes, arcs);
  for (int trees = std::min(units.max_trees(root), most); trees > 0; --trees) {
    GrowingTrees growing(units, root, trees);
    if (!growing.grow()) continue;
    for (int tree = 0; tree < trees; ++tree) packing.parents.push_back(growing.parents(tree));
    break;
  }
  return packing;
}

}  // namespace espalier
