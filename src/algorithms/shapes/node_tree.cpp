// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/node_tree.hpp"

#include <algorithm>

namespace espalier {

Rank leader_of(const Network& network, int node, Rank root) {
  return node == network.node_of(root) ? root : network.ranks_on(node).front();
}

Tree tree_over_ranks(const Network& network, const NodeTree& tree, Rank me, Rank root) {
  const int node = network.node_of(me);
  const Rank leader = leader_of(network, node, root);
  if (me != leader) return {.parent = leader, .children = {}};

  Tree ours;
  if (tree.parent != no_node) ours.parent = leader_of(network, tree.parent, root);
  for (const Rank rank : network.ranks_on(node)) {
    if (rank != me) ours.children.push_back(rank);
  }
  std::vector<NodeTree::Child> children = tree.children;
  std::ranges::stable_sort(children, {}, &NodeTree::Child::height);
  for (const NodeTree::Child& child : children) ours.children.push_back(leader_of(network, child.node, root));
  return ours;
}

}  // namespace espalier
