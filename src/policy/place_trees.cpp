// SPDX-License-Identifier: Apache-2.0
#include "policy/place_trees.hpp"

#include "contract/contract.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

arrival::Flow flow_of(const Algorithm& algorithm) {
  const Contract& contract = contract_of(algorithm.collective);
  if (!contract.reduces) return arrival::Flow::down;
  return contract.is_rooted() ? arrival::Flow::up : arrival::Flow::up_and_down;
}

std::vector<int> site_of_nodes(const Network& network) {
  std::vector<int> site_of(static_cast<std::size_t>(network.nodes()), 0);
  for (std::size_t site = 0; site < network.sites().size(); ++site) {
    for (const int node : network.sites()[site]) site_of[static_cast<std::size_t>(node)] = static_cast<int>(site);
  }
  return site_of;
}

// By rank, which is by place, too.
std::vector<int> groups_of(const Shape& shape) {
  std::vector<int> groups(static_cast<std::size_t>(shape.size), 0);
  if (shape.network == nullptr) return groups;
  const std::vector<int> site_of = site_of_nodes(*shape.network);
  const bool have_own_nodes = shape.network->nodes() == shape.size;
  for (Rank rank = 0; rank < shape.size; ++rank) {
    const int node = shape.network->node_of(rank);
    groups[static_cast<std::size_t>(rank)] = have_own_nodes ? site_of[static_cast<std::size_t>(node)] : node;
  }
  return groups;
}

}  // namespace

arrival::PlaceTree place_tree_of(const Algorithm& algorithm, const Shape& shape, Rank root, int radix) {
  const auto children_of = [&](Rank place) {
    return algorithm.tree(place, shape.size, root, radix).children_farthest_first();
  };
  const std::vector<int> groups = groups_of(shape);
  const auto group_of = [&](Rank place) { return groups[static_cast<std::size_t>(place)]; };
  return {shape.size, root, children_of, group_of, flow_of(algorithm)};
}

}  // namespace espalier
