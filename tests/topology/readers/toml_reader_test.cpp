// SPDX-License-Identifier: Apache-2.0
#include "topology/readers/toml_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "topology/network.hpp"

namespace espalier::toml_reader_test {
namespace {

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(machine_from_toml(text, "m.toml"));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

TEST(TomlReader, reads_a_torus_with_a_hole) {
  const Machine machine = machine_from_toml(R"(
hop_seconds = 1e-6
burst = 4096
arithmetic = 1e10
[torus]
extents = [3, 2]
rate = 5e9
nodes = ["a", "b", "", "d", "e", "f"]
)",
                                            "m.toml");
  EXPECT_EQ(machine.nodes.size(), 5u);
  EXPECT_EQ(machine.node_at, (std::vector<int>{0, 1, no_node, 2, 3, 4}));
  EXPECT_EQ(machine.node_named("d.cluster.example"), 2);
  EXPECT_EQ(machine.node_named("c"), no_node);
  EXPECT_DOUBLE_EQ(machine.hop_seconds, 1e-6);
  EXPECT_DOUBLE_EQ(machine.burst_bytes, 4096);
  EXPECT_DOUBLE_EQ(machine.arithmetic_bytes_per_second, 1e10);
  EXPECT_EQ(machine.arcs.size(), 12u) << "of nine links, three end in the hole";
}

TEST(TomlReader, reads_any_graph) {
  const Machine machine = machine_from_toml(R"(
[[node]]
name = "a"
[[node]]
name = "b"
[[link]]
between = ["a", "b"]
rate = 2
)",
                                            "m.toml");
  EXPECT_EQ(machine.arcs, (std::vector<Arc>{{0, 1, 2}, {1, 0, 2}}));
}

TEST(TomlReader, folds_the_six_coordinates_of_tofu) {
  std::string text = "[tofu]\nextents = [1, 1, 2]\nrate = 5e9\n[tofu.nodes]\n";
  int nodes = 0;
  for (const int z : {0, 1}) {
    for (const int a : {0, 1}) {
      for (const int b : {0, 1, 2}) {
        for (const int c : {0, 1}) {
          text += "n" + std::to_string(nodes++) + " = [0, 0, " + std::to_string(z) + ", " + std::to_string(a) + ", " +
                  std::to_string(b) + ", " + std::to_string(c) + "]\n";
        }
      }
    }
  }
  const Machine machine = machine_from_toml(text, "m.toml");
  EXPECT_EQ(*machine.lattice, (Lattice{{{2, true}, {3, true}, {4, true}}}));
  EXPECT_EQ(std::ranges::count(machine.node_at, no_node), 0);
}

TEST(TomlReader, takes_coordinates_that_begin_anywhere_for_the_box_around_them) {
  const Machine tofu =
      machine_from_toml("[tofu]\nrate = 5e9\n[tofu.nodes]\na = [4, 7, 2, 0, 0, 0]\nb = [5, 7, 2, 1, 2, 1]\n", "m.toml");
  EXPECT_EQ(*tofu.lattice, folded_lattice({2, 1, 1}));
  EXPECT_EQ(tofu.tofu[1], (TofuPlace{1, 0, 0, 1, 2, 1}));
  const Machine mesh =
      machine_from_toml("[coordinates]\nrate = 1\n[coordinates.nodes]\na = [7, 3]\nb = [8, 3]\nc = [8, 4]\n", "m.toml");
  EXPECT_EQ(*mesh.lattice, (Lattice{{{2, false}, {2, false}}}));
  EXPECT_EQ(mesh.arcs.size(), 4u);
  EXPECT_EQ(complaint("[coordinates]\nwraps = true\nrate = 1\n[coordinates.nodes]\na = [7]"),
            "m.toml:2: only with extents is it known where the ends are joined");
  EXPECT_EQ(complaint("[tofu]\nrate = 1\n[tofu.nodes]\na = [0, 0, 0, 0, 0, 0]\nb = [9999, 9999, 0, 0, 0, 0]"),
            "m.toml:3: too many places between the nodes; allowed: 1048576");
  EXPECT_EQ(complaint("[coordinates]\nrate = 1\n[coordinates.nodes]\na = []"),
            "m.toml:4: a node has 1 to 6 coordinates");
}

TEST(TomlReader, knows_the_ten_links_of_a_tofu_node) {
  std::string text = "[tofu]\nextents = [3, 3, 3]\nrate = 5e9\n[tofu.nodes]\n";
  for (int node = 0; node < 27 * 12; ++node) {
    const int place[] = {node % 3, node / 3 % 3, node / 9 % 3, node / 27 % 2, node / 54 % 3, node / 162};
    text += "n" + std::to_string(node) + " = [";
    for (const int one : place) text += std::to_string(one) + ", ";
    text += "]\n";
  }
  const Machine machine = machine_from_toml(text, "m.toml");
  const int middle = machine.node_named("n" + std::to_string(1 + 3 + 9));
  EXPECT_EQ(std::ranges::count(machine.arcs, middle, &Arc::from), 10);
  EXPECT_EQ(std::ranges::count(machine.arcs, middle, &Arc::to), 10);
}

TEST(TomlReader, reads_coordinates_and_leaves_out_what_is_not_named) {
  const Machine machine = machine_from_toml(
      "[coordinates]\nextents = [2, 2]\nwraps = false\nrate = 1\n[coordinates.nodes]\na = [0, 0]\nb = [1, 1]\nc = [1, "
      "0]\n",
      "m.toml");
  EXPECT_EQ(machine.node_at[2], no_node);
  EXPECT_EQ(machine.arcs.size(), 4u);
  EXPECT_EQ(complaint("[coordinates]\nextents = [2]\nrate = 1\n[coordinates.nodes]\na = [2]"),
            "m.toml:5: a coordinate must be a whole number from 0 to 1");
  EXPECT_EQ(complaint("[coordinates]\nextents = [2]\nrate = 1\n[coordinates.nodes]\na = [0]\nb = [0]"),
            "m.toml:6: node 'a' is there, too");
}

TEST(TomlReader, takes_a_rate_for_each_nic) {
  const Machine machine = machine_from_toml("[rails]\nrate = [12e6, 6e6]\nnodes = [\"a\", \"b\"]", "m.toml");
  EXPECT_EQ(machine.nodes[1].nics, 2);
  EXPECT_EQ(machine.nic_rates, (std::vector<double>{12e6, 6e6}));
  const std::vector<int> node_of = {0, 1};
  const Network network(machine, node_of);
  EXPECT_EQ(network.node_bytes_per_second(), 12e6);
  EXPECT_EQ(network.with(NicUse::all).node_bytes_per_second(), 2 * 6e6);
  EXPECT_EQ(network.with(NicUse::striped).node_bytes_per_second(), 18e6);
  EXPECT_TRUE(machine_from_toml("[rails]\nrate = [1, 1]\nnodes = [\"a\"]", "m.toml").nic_rates.empty());
}

TEST(TomlReader, reads_how_many_engines_a_node_has) {
  const Machine machine = machine_from_toml("engines = 4\n[torus]\nextents = [1]\nrate = 1\nnodes = [\"a\"]", "m.toml");
  EXPECT_EQ(machine.engines, 4);
  EXPECT_EQ(complaint("engines = 0\n[torus]\nextents = [1]\nrate = 1\nnodes = [\"a\"]"),
            "m.toml:1: engines must be a whole number from 1 to 64");
  EXPECT_EQ(complaint("engines = 4\n[rails]\nrate = 1\nnodes = [\"a\"]"),
            "m.toml:1: engines do not go with NICs, which have one each");
}

TEST(TomlReader, takes_one_text_for_many_names) {
  const Machine machine = machine_from_toml("[rails]\nrate = 1\nnodes = \"n[0-2],m7\"", "m.toml");
  ASSERT_EQ(machine.nodes.size(), 4U);
  EXPECT_EQ(machine.nodes[2].name, "n2");
  EXPECT_EQ(machine.nodes[3].name, "m7");
  EXPECT_EQ(complaint("[rails]\nrate = 1\nnodes = \"n[0-999999999]\""),
            "m.toml:3: '0-999999999': too many names; allowed: 1048576 more");
  EXPECT_EQ(complaint("[rails]\nrate = 1\nnodes = \"n[0-9\""),
            "m.toml:3: 'n[0-9': a bracket is not closed; allowed: NAME[0-5,7]");
}

TEST(TomlReader, knows_all_places_of_a_box_on_tofu) {
  const Machine machine = machine_from_toml("[tofu]\nbox = [2, 3, 2]\nrate = 1\nnodes = \"n[0-11]\"", "m.toml");
  EXPECT_EQ(machine.tofu.size(), 12U);
  EXPECT_EQ(complaint("[tofu]\nbox = [3, 1, 1]\nrate = 1\nnodes = \"n[0-2]\""),
            "m.toml:2: an extent cannot be folded; allowed: multiples of 2, or 1");
  EXPECT_EQ(complaint("[tofu]\nbox = [2, 1, 1]\nrate = 1\nnodes = \"n[0-2]\""),
            "m.toml:4: 3 nodes are named, but there are 2 places");
}

TEST(TomlReader, reads_what_only_simulations_look_at) {
  const std::string rails = "[rails]\nrate = 1\nnodes = \"n[0-7]\"\n[simulation]\n";
  const Machine machine =
      machine_from_toml(rails +
                            "name = \"it\"\nlink_seconds = 1e-6\narrival_seconds = 2e-6\ncall_seconds = 3e-6\n"
                            "put_rate = 2e9\nreduction_seconds = 3e-7\nthreads = 4\n"
                            "fat_tree = {leaves = 2, uplinks = 3, rate = 5}",
                        "m.toml");
  const SimulatedParts& parts = machine.simulated;
  EXPECT_EQ(parts.name, "it");
  EXPECT_EQ(parts.link_seconds, 1e-6);
  EXPECT_EQ(parts.arrival_seconds, 2e-6);
  EXPECT_EQ(parts.call_seconds, 3e-6);
  EXPECT_EQ(parts.put_bytes_per_second, 2e9);
  EXPECT_EQ(parts.reduction_seconds, 3e-7);
  EXPECT_EQ(parts.threads, 4);
  ASSERT_TRUE(parts.fat_tree);
  EXPECT_EQ(parts.fat_tree->leaves, 2);
  EXPECT_EQ(parts.fat_tree->uplinks, 3);
  EXPECT_FALSE(parts.dragonfly);
  EXPECT_EQ(complaint(rails + "threads = 0"), "m.toml:5: threads must be a whole number from 1 to 1024");
  EXPECT_EQ(complaint(rails + "fat_tree = {leaves = 9, uplinks = 1, rate = 1}"),
            "m.toml:5: leaves must be a whole number from 1 to 8");
  EXPECT_EQ(complaint("[mesh]\nextents = [1]\nrate = 1\nnodes = \"n\"\n[simulation]\nfat_tree = {leaves = 1}"),
            "m.toml:6: fat_tree goes with [rails] only");
}

TEST(Network, knows_what_one_connection_carries_over_a_wan) {
  const std::string site = "[[site]]\nrate = 6e6\nnodes = ";
  Machine machine = machine_from_toml(site + "[\"a\"]\n" + site + "[\"b\"]\n[wan]\nseconds = 0.02", "m.toml");
  const std::vector<int> node_of = {0, 1};
  EXPECT_EQ(Network(machine, node_of).wan_bytes_per_second(), 6e6);
  machine.connection_bytes = 16e3;
  const Network network(machine, node_of);
  EXPECT_DOUBLE_EQ(network.wan_bytes_per_second(), 16e3 / 0.04);
  EXPECT_EQ(network.with(NicUse::striped).wan_bytes_per_second(), 6e6);  // by several
}

TEST(TomlReader, says_in_which_line_what_is_wrong_and_what_is_allowed) {
  EXPECT_EQ(complaint("[torus]\nextents = [3]\nrate = 1\nnodes = [\"a\"]"),
            "m.toml:4: 1 nodes are named, but there are 3 places; a missing node is \"\"");
  EXPECT_EQ(complaint("[torus]\nextents = [0]\n"), "m.toml:2: an extent must be a whole number from 1 to 1048576");
  EXPECT_EQ(complaint("[mesh]\nextents = [1024, 1025]\n"), "m.toml:2: too many places for nodes; allowed: 1048576");
  EXPECT_EQ(complaint("[coordinates]\nextents = [1024, 1024, 2]\nrate = 1\n[coordinates.nodes]\na = [0, 0, 0]"),
            "m.toml:2: too many places for nodes; allowed: 1048576");
  EXPECT_EQ(complaint("[tofu]\nextents = [87382, 1, 1]\nrate = 1\n[tofu.nodes]\na = [0, 0, 0, 0, 0, 0]"),
            "m.toml:2: too many places for nodes; allowed: 1048576")
      << "each stands for twelve";
  EXPECT_EQ(complaint("[mesh]\nextents = [1]\nrate = -1\nnodes = [\"a\"]"), "m.toml:3: rate must be a positive number");
  EXPECT_EQ(complaint("[mesh]\nextent = [1]"), "m.toml:2: 'extent' is not known here; allowed: extents, nodes, rate");
  EXPECT_EQ(complaint("[rails]\nrate = 1\nnodes = [\"a\", \"a\"]"), "m.toml:1: two nodes are called 'a'");
  EXPECT_EQ(complaint("[[site]]\nrate = 1\nnodes = [\"a\"]\n[[site]]\nrate = 1\nnodes = []"),
            "m.toml:6: there is no node");
  EXPECT_EQ(complaint("[coordinates]\nextents = [1]\nwraps = 1\n"), "m.toml:3: wraps must be true or false");
  EXPECT_EQ(complaint("[rails]\nrate = 1\nnodes = [\"a\"]\n[wan]\nseconds = 1"),
            "m.toml:4: [wan] goes with [[site]] only");
  EXPECT_EQ(complaint("[[site]]\nrate = 1\nnodes = [\"a\"]\n[wan]\nseconds = 1\nhours = 1"),
            "m.toml:6: 'hours' is not known here; allowed: seconds");
  EXPECT_EQ(complaint("[rails]\nnics = 3\nrate = [1, 2]\nnodes = [\"a\"]"),
            "m.toml:3: a list of rates must have one for each NIC, at most 16");
  EXPECT_EQ(complaint("[rails]\nrate = [1, 0]\nnodes = [\"a\"]"), "m.toml:2: a rate must be a positive number");
  EXPECT_EQ(complaint("[rails]\nnics = 5e26\n"), "m.toml:2: nics must be a whole number from 1 to 16");
  EXPECT_EQ(complaint("[torus]\n[mesh]"), "m.toml:1: [torus] and [mesh] do not go together");
  EXPECT_NE(complaint("").find("describes no network; allowed: [torus]"), std::string::npos);
  EXPECT_NE(complaint("[torus\n").find("m.toml:1: "), std::string::npos);
  EXPECT_NE(complaint("[;torus]\n").find("m.toml:1: "), std::string::npos);  // toml++ has an assertion there
  EXPECT_EQ(complaint("[[node]]\nname = \"a\"\n[[link]]\nbetween = [\"a\", \"b\"]\nrate = 1"),
            "m.toml:4: there is no node 'b'");
}

}  // namespace
}  // namespace espalier::toml_reader_test
