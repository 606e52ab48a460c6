// SPDX-License-Identifier: Apache-2.0
// Trees over the nodes of a network, and what they are as trees over ranks.
#pragma once

#include "algorithms/shapes/tree.hpp"
#include "topology/network.hpp"

namespace espalier {

// A node's place in a tree.
struct NodeTree {
  struct Child {
    int node = 0;
    int height = 0;  // 0: a leaf
  };
  int parent = no_node;
  std::vector<Child> children;  // in any order
};

// One rank of each node, its leader, speaks to the network: the root on its own node, else the lowest.
[[nodiscard]] Rank leader_of(const Network& network, int node, Rank root);

// The other ranks of a node hang below its leader, as leaves. `tree`: of this rank's node, towards the root's node.
[[nodiscard]] Tree tree_over_ranks(const Network& network, const NodeTree& tree, Rank me, Rank root);

}  // namespace espalier
