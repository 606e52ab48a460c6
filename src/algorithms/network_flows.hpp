// SPDX-License-Identifier: Apache-2.0
// Collectives over the trees of the communicator's network.
#pragma once

#include "algorithms/over_trees.hpp"
#include "algorithms/shapes/packed_trees.hpp"
#include "algorithms/shapes/torus_trees.hpp"

namespace espalier {

// One tree for each axis, or with `both_ways` two.
template <class Flow>
void over_torus_trees(Builder& b, bool both_ways, Flow flow) {
  const Network& network = *b.shape().network;
  const Network::Box& torus = *network.torus();
  const int node = network.node_of(b.rank()), root = network.node_of(b.root());
  const auto tree_of = [&](int t) {
    return tree_over_ranks(network, torus_tree(torus, node, root, t), b.rank(), b.root());
  };
  over_trees(b, torus.lattice.dimensions() * (both_ways ? 2 : 1), tree_of, flow);
}

// As many arc-disjoint trees as the graph has from the root, a rank.
template <class Flow>
void over_packed_trees(Builder& b, Rank root, Flow flow) {
  const Network& network = *b.shape().network;
  const Packing& packing = network.packing(network.node_of(root));
  const int node = network.node_of(b.rank());
  if (packing.trees() == 0) {  // one node
    return over_trees(
        b, 1, [&](int) { return tree_over_ranks(network, {}, b.rank(), root); }, flow);
  }
  const auto tree_of = [&](int t) { return tree_over_ranks(network, packed_tree(packing, node, t), b.rank(), root); };
  over_trees(b, packing.trees(), tree_of, flow);
}

}  // namespace espalier
