// SPDX-License-Identifier: Apache-2.0
#include "topology/network.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "topology/readers/toml_reader.hpp"

namespace espalier::network_test {
namespace {

// A torus of 4x3x3 without a name for its nodes but their numbers.
Machine torus_433() {
  Machine machine;
  machine.lattice = Lattice{{{4, true}, {3, true}, {3, true}}};
  for (int node = 0; node < 36; ++node) {
    machine.nodes.push_back({"n" + std::to_string(node)});
    machine.node_at.push_back(node);
  }
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 1e9);
  return machine;
}

std::vector<int> all_nodes() {
  std::vector<int> nodes(36);
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

TEST(Network, knows_a_whole_torus) {
  const Network network(torus_433(), all_nodes());
  ASSERT_NE(network.torus(), nullptr);
  EXPECT_EQ(network.torus()->lattice.dimensions(), 3);
  EXPECT_EQ(network.arcs().size(), 36u * 6);
  EXPECT_TRUE(network.is_connected());
}

TEST(Network, knows_a_plane_as_a_torus_of_two_dimensions) {
  std::vector<int> plane;  // z == 1
  for (int node = 12; node < 24; ++node) plane.push_back(node);
  const Network network(torus_433(), plane);
  ASSERT_NE(network.torus(), nullptr);
  EXPECT_EQ(network.torus()->lattice, (Lattice{{{4, true}, {3, true}}}));
}

TEST(Network, knows_a_box_that_does_not_wrap_also_across_the_end_of_an_axis) {
  const Lattice lattice{{{4, true}, {3, true}, {3, true}}};
  std::vector<int> box;  // x from 3 over 0 to 1, y all, z == 0
  for (int number = 0; number < 12; ++number) {
    if (lattice.coordinates_of(number)[0] != 2) box.push_back(number);
  }
  const Network network(torus_433(), box);
  ASSERT_NE(network.box(), nullptr);
  EXPECT_EQ(network.torus(), nullptr);
  EXPECT_EQ(network.box()->lattice, (Lattice{{{3, false}, {3, true}}}));
  EXPECT_TRUE(network.is_connected());
}

TEST(Network, knows_neither_where_nodes_are_left_out) {
  std::vector<int> nodes = all_nodes();
  nodes.erase(nodes.begin() + 7);
  const Network network(torus_433(), nodes);
  EXPECT_EQ(network.box(), nullptr);
  EXPECT_TRUE(network.is_connected());
}

TEST(Network, gives_each_node_its_ranks) {
  const int node_of[] = {5, 6, 5, 6, 6};
  const Network network(torus_433(), node_of);
  EXPECT_EQ(network.nodes(), 2);
  EXPECT_EQ(network.node_of(2), 0);
  EXPECT_EQ(std::vector<Rank>(network.ranks_on(1).begin(), network.ranks_on(1).end()), (std::vector<Rank>{1, 3, 4}));
}

TEST(Network, sees_that_scattered_nodes_are_not_connected) {
  const int node_of[] = {0, 2};
  EXPECT_FALSE(Network(torus_433(), node_of).is_connected());
}

TEST(Network, has_the_sites_of_its_ranks) {
  const Machine machine = machine_from_toml(R"(
[[site]]
nics = 2
rate = 1e6
nodes = ["a", "b"]
[[site]]
nics = 2
rate = 1e6
nodes = ["c"]
[wan]
seconds = 0.01
)",
                                            "test");
  const int node_of[] = {2, 0, 1};
  const Network network(machine, node_of);
  EXPECT_EQ(network.sites(), (std::vector<std::vector<int>>{{0}, {1, 2}}));
  EXPECT_EQ(network.nics_used(), 1);
  EXPECT_DOUBLE_EQ(network.wan_seconds(), 0.01);
  const Network spread(machine, node_of, NicUse::all);
  EXPECT_EQ(spread.nics_used(), 2);
  EXPECT_DOUBLE_EQ(spread.node_bytes_per_second(), 2e6);
  EXPECT_NE(spread.signature(), network.signature());
  EXPECT_EQ(spread.with(NicUse::one).nics_used(), 1);
  EXPECT_EQ(spread.with(NicUse::one).sites(), network.sites());
}

TEST(Network, refuses_a_node_that_the_machine_does_not_have) {
  const int node_of[] = {0, 36};
  EXPECT_THROW(Network(torus_433(), node_of), std::invalid_argument);
}

TEST(Network, tells_communicators_on_other_nodes_apart) {
  Machine machine;
  for (int node = 0; node < 4; ++node) machine.nodes.push_back({"n" + std::to_string(node)});
  const auto signature = [&](const std::vector<int>& node_of) { return Network(machine, node_of).signature(); };
  EXPECT_EQ(signature({0, 1, 2}), signature({0, 1, 2}));
  EXPECT_NE(signature({0, 1, 2}), signature({1, 2})) << "without the first node";
  EXPECT_NE(signature({0, 0, 1}), signature({0, 1})) << "with several ranks on a node";
  EXPECT_NE(signature({0, 1, 2}), signature({1, 0, 2}));
}

}  // namespace
}  // namespace espalier::network_test
