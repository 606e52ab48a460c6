// SPDX-License-Identifier: Apache-2.0
#include "simulate/wiring.hpp"

#include <gtest/gtest.h>

#include <set>

#include "simulate/known_machines.hpp"
#include "topology/readers/toml_reader.hpp"

namespace espalier::wiring_test {
namespace {

std::vector<int> route_between(const Wiring& wiring, int from, int to, int port = 0) {
  std::vector<int> links;
  wiring.route(from, port, to, port, links);
  return links;
}

Machine machine_of(const std::string& text) { return machine_from_toml(text, "test.toml"); }

TEST(Wiring, of_a_torus_goes_along_one_axis_after_the_other_the_shorter_way_round) {
  const Machine machine = machine_of("[torus]\nextents = [5, 4]\nrate = 1e9\nnodes = \"n[0-19]\"\n");
  const auto wiring = wiring_of(machine);
  EXPECT_EQ(route_between(*wiring, 0, 4).size(), 1U);
  EXPECT_EQ(route_between(*wiring, 0, 2).size(), 2U);
  const std::vector<int> route = route_between(*wiring, 0, 6);
  ASSERT_EQ(route.size(), 2U);
  EXPECT_EQ(route.front(), route_between(*wiring, 0, 1).front());
  EXPECT_EQ(route.back(), route_between(*wiring, 1, 6).front());
  EXPECT_NE(route_between(*wiring, 0, 1), route_between(*wiring, 1, 0));
}

TEST(Wiring, of_tofu_has_a_link_of_its_own_between_neighbours_of_the_folded_torus) {
  const Machine machine = machine_of("[tofu]\nbox = [4, 3, 2]\nrate = 5e9\nnodes = \"n[0-23]\"\n");
  const auto wiring = wiring_of(machine);
  std::set<int> links;
  for (const Arc& arc : arcs_of(*machine.lattice, machine.node_at, 1)) {
    const std::vector<int> route = route_between(*wiring, arc.from, arc.to);
    ASSERT_EQ(route.size(), 1U);
    EXPECT_TRUE(links.insert(route.front()).second);
  }
}

TEST(Wiring, of_a_fat_tree_takes_the_uplink_of_the_receivers_number) {
  const Machine machine = machine_of(
      "[rails]\nrate = 1e9\nnodes = \"n[0-15]\"\n[simulation.fat_tree]\nleaves = 4\nuplinks = 2\nrate = 1e9\n");
  const auto wiring = wiring_of(machine);
  EXPECT_EQ(route_between(*wiring, 0, 3).size(), 2U);
  EXPECT_EQ(route_between(*wiring, 0, 4).size(), 4U);
  EXPECT_EQ(route_between(*wiring, 0, 4)[1], route_between(*wiring, 1, 6)[1]);
  EXPECT_NE(route_between(*wiring, 0, 4)[1], route_between(*wiring, 0, 5)[1]);
}

TEST(Wiring, of_a_dragonfly_passes_one_link_between_groups) {
  const Machine machine = machine_of(
      "[rails]\nrate = 1e9\nnodes = \"n[0-35]\"\n[simulation.dragonfly]\ngroups = 3\nrouters = 4\nrate = 2e9\n"
      "global_rate = 3e9\n");
  const auto wiring = wiring_of(machine);
  EXPECT_EQ(route_between(*wiring, 0, 1).size(), 2U);
  EXPECT_EQ(route_between(*wiring, 0, 3).size(), 3U);
  for (int to = 12; to < 36; ++to) {
    int between_groups = 0;
    const std::vector<int> route = route_between(*wiring, 5, to);
    for (const int link : route) between_groups += wiring->links()[static_cast<std::size_t>(link)] == 3e9 ? 1 : 0;
    EXPECT_EQ(between_groups, 1) << to;
    EXPECT_LE(route.size(), 5U) << to;
  }
}

TEST(Wiring, of_sites_passes_the_wan_and_its_delay) {
  const Machine machine = machine_of(
      "[[site]]\nnics = 2\nrate = 1e6\nnodes = \"a[0-1]\"\n[[site]]\nnics = 2\nrate = 1e6\nnodes = \"b[0-1]\"\n"
      "[wan]\nseconds = 0.01\n");
  const auto wiring = wiring_of(machine);
  EXPECT_EQ(wiring->ports(), 2);
  EXPECT_EQ(route_between(*wiring, 0, 1, 1).size(), 2U);
  EXPECT_NE(route_between(*wiring, 0, 1, 0), route_between(*wiring, 0, 1, 1));
  const std::vector<int> route = route_between(*wiring, 0, 3);
  ASSERT_EQ(route.size(), 3U);
  EXPECT_DOUBLE_EQ(wiring->delay(route), 0.01);
}

TEST(KnownMachines, can_all_be_read_and_wired) {
  for (const KnownMachine& known : known_machines()) {
    if (known.file == "k") continue;  // 82,944 nodes: a matter of seconds
    const Machine machine = machine_from_toml(known.text, std::string(known.file));
    EXPECT_FALSE(machine.simulated.name.empty()) << known.file;
    EXPECT_FALSE(route_between(*wiring_of(machine), 0, static_cast<int>(machine.nodes.size()) - 1).empty());
  }
}

}  // namespace
}  // namespace espalier::wiring_test
