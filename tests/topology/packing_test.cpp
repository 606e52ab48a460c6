// SPDX-License-Identifier: Apache-2.0
#include "topology/packing.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "topology/network.hpp"
#include "verify/sample_networks.hpp"

namespace espalier::packing_test {
namespace {

// Every tree spans, and no arc is used more often than it has capacity for.
void expect_valid(const TreePacking& packing, int nodes, std::span<const Arc> arcs) {
  double unit = 1e300;
  for (const Arc& arc : arcs) unit = std::min(unit, arc.bytes_per_second);
  std::map<std::pair<int, int>, double> room;
  for (const Arc& arc : arcs) room[{arc.from, arc.to}] += arc.bytes_per_second / unit;
  for (const std::vector<int>& parents : packing.parents) {
    ASSERT_EQ(static_cast<int>(parents.size()), nodes);
    for (int node = 0; node < nodes; ++node) {
      if (node == packing.root) {
        EXPECT_EQ(parents[node], no_node);
        continue;
      }
      ASSERT_NE(parents[node], no_node) << "the tree does not reach node " << node;
      EXPECT_GE(room[std::pair(parents[node], node)] -= 1, -1e-6);
      int hops = 0;
      for (int above = node; above != packing.root; above = parents[above]) ASSERT_LE(++hops, nodes) << "a cycle";
    }
  }
}

TEST(TreePacking, is_as_large_as_the_minimum_cut_on_every_sample_from_every_root) {
  for (const SampleNetwork& sample : sample_networks()) {
    const Network& network = *sample.shape.network;
    if (network.nodes() > 30) continue;
    for (int root = 0; root < network.nodes(); ++root) {
      const TreePacking packing = pack_trees(network.nodes(), network.arcs(), root);
      EXPECT_EQ(packing.trees(), minimum_cut(network.nodes(), network.arcs(), root)) << sample.name;
      expect_valid(packing, network.nodes(), network.arcs());
    }
  }
}

TEST(TreePacking, is_as_large_as_the_minimum_cut_on_random_graphs_with_unequal_links) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int nodes = 2 + static_cast<int>(random() % 29);
    std::vector<Arc> arcs;
    for (int node = 1; node < nodes; ++node) {  // connected, and then some
      const int other = static_cast<int>(random() % static_cast<unsigned>(node));
      const double rate = 1 + random() % 3;
      arcs.insert(arcs.end(), {{node, other, rate}, {other, node, rate}});
    }
    for (unsigned extra = random() % 60; extra > 0; --extra) {
      const int a = static_cast<int>(random() % static_cast<unsigned>(nodes));
      const int b = static_cast<int>(random() % static_cast<unsigned>(nodes));
      if (a != b) arcs.push_back({a, b, 1.0 + random() % 3});
    }
    const int root = static_cast<int>(random() % static_cast<unsigned>(nodes));
    const TreePacking packing = pack_trees(nodes, arcs, root);
    EXPECT_EQ(packing.trees(), minimum_cut(nodes, arcs, root)) << trial;
    expect_valid(packing, nodes, arcs);
  }
}

TEST(TreePacking, uses_all_six_links_of_a_thousand_nodes) {
  Machine machine;
  machine.lattice = Lattice{{{10, true}, {10, true}, {10, true}}};
  for (int node = 0; node < 1000; ++node) machine.node_at.push_back(node);
  const std::vector<Arc> arcs = arcs_of(*machine.lattice, machine.node_at, 1);
  const TreePacking packing = pack_trees(1000, arcs, 0);
  EXPECT_EQ(packing.trees(), 6);
  expect_valid(packing, 1000, arcs);
}

TEST(TreePacking, of_one_node_has_no_trees) { EXPECT_EQ(pack_trees(1, {}, 0).trees(), 0); }

}  // namespace
}  // namespace espalier::packing_test
