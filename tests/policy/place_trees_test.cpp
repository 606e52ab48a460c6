// SPDX-License-Identifier: Apache-2.0
#include "policy/place_trees.hpp"

#include <gtest/gtest.h>

#include "topology/network.hpp"

namespace espalier::place_trees_test {
namespace {

const Algorithm& knomial() { return *find_algorithm(Collective::bcast, "knomial"); }

Machine machine_with(std::span<const int> sites) {
  Machine machine;
  for (const int site : sites) machine.nodes.push_back({"n" + std::to_string(machine.nodes.size()), 1, site});
  machine.nic_bytes_per_second = 1e9;
  machine.wan_seconds = 1e-2;
  return machine;
}

TEST(PlaceTrees, anybody_may_stand_anywhere_where_nothing_is_known) {
  const arrival::PlaceTree tree = place_tree_of(knomial(), {.size = 8}, 0, 2);
  EXPECT_TRUE(tree.may_exchange(1, 7));
  EXPECT_EQ(tree.flow(), arrival::Flow::down);
  EXPECT_EQ(place_tree_of(*find_algorithm(Collective::reduce, "chain"), {.size = 8}, 3, 2).flow(), arrival::Flow::up);
  EXPECT_EQ(place_tree_of(*find_algorithm(Collective::allreduce, "chain"), {.size = 8}, 0, 2).flow(),
            arrival::Flow::up_and_down);
}

TEST(PlaceTrees, ranks_stay_on_their_node) {
  const std::vector<int> sites = {0, 0, 0}, node_of = {0, 0, 0, 1, 1, 1, 2, 2, 2};
  const Machine machine = machine_with(sites);
  const Network network(machine, node_of);
  const arrival::PlaceTree tree = place_tree_of(knomial(), {.size = 9, .network = &network}, 0, 2);
  EXPECT_TRUE(tree.may_exchange(4, 5));
  EXPECT_FALSE(tree.may_exchange(2, 3));
}

TEST(PlaceTrees, or_on_their_site_if_each_has_a_node) {
  const std::vector<int> sites = {0, 0, 1, 1, 1}, node_of = {0, 1, 2, 3, 4};
  const Machine machine = machine_with(sites);
  const Network network(machine, node_of);
  const arrival::PlaceTree tree = place_tree_of(knomial(), {.size = 5, .network = &network}, 0, 2);
  EXPECT_TRUE(tree.may_exchange(2, 4));
  EXPECT_FALSE(tree.may_exchange(1, 2));
}

}  // namespace
}  // namespace espalier::place_trees_test
