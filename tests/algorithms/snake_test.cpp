// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/snake.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "verify/sample_networks.hpp"

namespace espalier {
namespace {

bool are_joined(const Network& network, int from, int to) {
  return std::ranges::any_of(network.arcs(), [&](const Arc& arc) { return arc.from == from && arc.to == to; });
}

// From the root to the end; every node on its path must know its place.
void walk(const Network& network, int root, const std::string& where) {
  std::set<int> visited;
  int before = no_node;
  for (int node = root; node != no_node && visited.insert(node).second;) {
    const NodeTree place = snake(*network.torus(), node, root);
    EXPECT_EQ(place.parent, before) << where;
    EXPECT_TRUE(before == no_node || are_joined(network, before, node)) << where;
    before = node;
    node = no_node;
    for (const NodeTree::Child& child : place.children) {
      EXPECT_EQ(child.height, network.nodes() - 1 - static_cast<int>(visited.size())) << where;
      node = child.node;
    }
    EXPECT_LE(place.children.size(), 1u) << where;
  }
  EXPECT_EQ(static_cast<int>(visited.size()), network.nodes()) << where;
}

// Then no two hops can share a link.
TEST(Snake, visits_every_node_once_and_goes_to_neighbours_only_on_any_torus_from_any_root) {
  int tori = 0;
  for (const SampleNetwork& sample : sample_networks()) {
    const Network& network = *sample.shape.network;
    if (network.torus() == nullptr) continue;
    ++tori;
    for (int root = 0; root < network.nodes(); ++root) walk(network, root, sample.name);
  }
  EXPECT_GT(tori, 10);
}

}  // namespace
}  // namespace espalier
