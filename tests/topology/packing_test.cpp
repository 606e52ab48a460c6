// SPDX-License-Identifier: Apache-2.0
#include "topology/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "topology/grown_packing.hpp"
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

struct Sample {
  int nodes = 0;
  std::vector<Arc> arcs;
};

Sample lattice(const std::vector<int>& extents, bool wraps, const std::vector<int>& missing = {}) {
  Lattice box;
  for (const int extent : extents) box.axes.push_back({extent, wraps});
  Sample sample;
  std::vector<int> node_at;
  for (int place = 0; place < box.points(); ++place) {
    node_at.push_back(std::ranges::count(missing, place) > 0 ? no_node : sample.nodes++);
  }
  sample.arcs = arcs_of(box, node_at, 1);
  return sample;
}

TEST(GrownPacking, has_as_many_trees_as_the_exact_one_on_most_samples) {
  int alike = 0, all = 0;
  for (const SampleNetwork& sample : sample_networks()) {
    const Network& network = *sample.shape.network;
    if (network.nodes() > 30 || network.nodes() == 1 || !network.is_connected()) continue;
    for (int root = 0; root < network.nodes(); ++root, ++all) {
      const TreePacking grown = grow_packing(network.nodes(), network.arcs(), root);
      expect_valid(grown, network.nodes(), network.arcs());
      EXPECT_GE(grown.trees(), 1) << sample.name;
      if (grown.trees() == minimum_cut(network.nodes(), network.arcs(), root)) ++alike;
    }
  }
  EXPECT_GE(alike, all * 9 / 10);
}

TEST(GrownPacking, uses_every_arc_into_the_poorest_node_of_large_lattices) {
  const auto trees_of = [](const Sample& sample, int root) {
    const TreePacking packing = grow_packing(sample.nodes, sample.arcs, root);
    expect_valid(packing, sample.nodes, sample.arcs);
    return packing.trees();
  };
  EXPECT_EQ(trees_of(lattice({8, 8, 8}, true), 0), 6);
  EXPECT_EQ(trees_of(lattice({6, 6, 6}, true, {100}), 0), 5);
  EXPECT_EQ(trees_of(lattice({8, 8, 8}, true, {200, 201, 202, 300}), 77), 5);
  EXPECT_EQ(trees_of(lattice({8, 8, 8}, false), 100), 3);
  EXPECT_EQ(trees_of(lattice({32, 32}, false, {77, 400}), 500), 2);
}

TEST(GrownPacking, reaches_all_nodes_of_a_chain_by_one_tree) {
  const Sample chain = lattice({500}, false);
  const TreePacking packing = grow_packing(chain.nodes, chain.arcs, 250);
  EXPECT_EQ(packing.trees(), 1);
  expect_valid(packing, chain.nodes, chain.arcs);
}

TEST(GrownPacking, has_no_trees_where_a_node_cannot_be_reached) {
  EXPECT_EQ(grow_packing(3, std::vector<Arc>{{0, 1, 1}, {1, 0, 1}}, 0).trees(), 0);
}

TEST(TreePacking, of_one_node_has_no_trees) { EXPECT_EQ(pack_trees(1, {}, 0).trees(), 0); }

}  // namespace
}  // namespace espalier::packing_test
