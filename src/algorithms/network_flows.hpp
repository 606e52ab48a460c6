// SPDX-License-Identifier: Apache-2.0
// Collectives over the trees of the communicator's network.
#pragma once

#include <algorithm>

#include "algorithms/candidacy.hpp"
#include "algorithms/over_trees.hpp"
#include "algorithms/shapes/packed_trees.hpp"
#include "algorithms/shapes/torus_trees.hpp"

namespace espalier {

// As this rank sees them: one for each axis, or with `both_directions` two.
inline std::vector<Tree> trees_on_torus(const Builder& b, bool both_directions) {
  const Network& network = *b.shape().network;
  const Network::Box& torus = *network.torus();
  const int node = network.node_of(b.rank()), root = network.node_of(b.root());
  std::vector<Tree> trees;
  for (int t = 0; t < torus.lattice.dimensions() * (both_directions ? 2 : 1); ++t) {
    trees.push_back(tree_over_ranks(network, torus_tree(torus, node, root, t), b.rank(), b.root()));
  }
  return trees;
}

inline Pipeline one_direction(const Network& network) {
  const Lattice& torus = network.torus()->lattice;
  return {.trees = torus.dimensions(), .height = torus_tree_height(torus)};
}

inline Pipeline both_directions(const Network& network) {
  const Lattice& torus = network.torus()->lattice;
  return {.trees = 2 * torus.dimensions(), .height = torus_tree_height(torus)};
}

// As many arc-disjoint ones as the graph has from the root, a rank; one where there is one node.
inline std::vector<Tree> packed_trees(const Builder& b, Rank root) {
  const Network& network = *b.shape().network;
  const TreePacking& packing = network.packing(network.node_of(root));
  const int node = network.node_of(b.rank());
  std::vector<Tree> trees;
  for (int t = 0; t < packing.trees(); ++t) {
    trees.push_back(tree_over_ranks(network, packed_tree(packing, node, t), b.rank(), root));
  }
  if (trees.empty()) trees.push_back(tree_over_ranks(network, {}, b.rank(), root));
  return trees;
}

// From whatever root: those from the first node stand for all.
inline Pipeline over_packed_trees(const Network& network) {
  const TreePacking& packing = network.packing(0);
  Pipeline pipeline{.trees = std::max(1, packing.trees())};
  for (int t = 0; t < packing.trees(); ++t) {
    pipeline.height = std::max(pipeline.height, packed_tree_height(packing, t));
  }
  return pipeline;
}

}  // namespace espalier
