// SPDX-License-Identifier: Apache-2.0
#include "algorithms/multilane.hpp"

#include <algorithm>
#include <numeric>

#include "algorithms/shapes/node_tree.hpp"

namespace espalier {

namespace {

// Ranks that are in the trees, by site; the root's site first, and the root first in it.
std::vector<std::vector<int>> sites_from(const Shape& shape, Rank root) {
  std::vector<std::vector<int>> sites;
  if (shape.network == nullptr) {
    sites.emplace_back(shape.size);
    std::iota(sites[0].begin(), sites[0].end(), 0);
  } else if (shape.network->sites().empty()) {
    sites.emplace_back();
    for (int node = 0; node < shape.network->nodes(); ++node) {
      sites[0].push_back(leader_of(*shape.network, node, root));
    }
  } else {
    for (const std::vector<int>& nodes : shape.network->sites()) {
      sites.emplace_back();
      for (const int node : nodes) sites.back().push_back(leader_of(*shape.network, node, root));
    }
  }
  const auto has_root = [root](const std::vector<int>& site) { return std::ranges::count(site, root) > 0; };
  std::ranges::rotate(sites, std::ranges::find_if(sites, has_root));
  std::ranges::rotate(sites[0], std::ranges::find(sites[0], root));
  return sites;
}

// Below its node's leader: by the shared memory of the node, whatever the lane.
void add_neighbours_on_node(const Network& network, Rank me, Rank root, std::array<HalfTree, 2>& halves) {
  const int node = network.node_of(me);
  const Rank leader = leader_of(network, node, root);
  for (Lane half = 0; half < 2; ++half) {
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

}  // namespace espalier
