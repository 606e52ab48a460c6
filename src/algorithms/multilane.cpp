// SPDX-License-Identifier: Apache-2.0
#include "algorithms/multilane.hpp"

#include <bit>

#include "algorithms/shapes/node_tree.hpp"
#include "algorithms/shapes/site_trees.hpp"

namespace espalier {

namespace {

// Below its node's leader: by the shared memory of the node, whatever the lane.
void add_neighbours_on_node(const Network& network, Rank me, Rank root, std::array<HalfTree, 2>& halves) {
  const int node = network.node_of(me);
  const Rank leader = leader_of(network, node, root);
  for (int half = 0; half < 2; ++half) {
    if (me != leader) halves[half].parent = {leader, half};
    for (const Rank rank : network.ranks_on(node)) {
      if (me == leader && rank != me) halves[half].children.push_back({rank, half});
    }
  }
}

}  // namespace

std::array<HalfTree, 2> half_trees(const Shape& shape, Rank me, Rank root) {
  std::array<HalfTree, 2> halves;
  for (const LaneEdge& edge : two_trees(sites_from(shape, root))) {
    if (edge.from == me) halves[edge.half].children.push_back({edge.to, edge.lane});
    if (edge.to == me) halves[edge.half].parent = {edge.from, edge.lane};
  }
  if (shape.network != nullptr) add_neighbours_on_node(*shape.network, me, root, halves);
  return halves;
}

int half_tree_height(const Network& network) { return std::bit_width(static_cast<unsigned>(network.nodes())); }

}  // namespace espalier
