// SPDX-License-Identifier: Apache-2.0
#include "topology/toml_reader.hpp"

#include <gtest/gtest.h>

namespace espalier {
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

TEST(TomlReader, says_in_which_line_what_is_wrong_and_what_is_allowed) {
  EXPECT_EQ(complaint("[torus]\nextents = [3]\nrate = 1\nnodes = [\"a\"]"),
            "m.toml:4: 1 nodes are named, but there are 3 places; a missing node is \"\"");
  EXPECT_EQ(complaint("[torus]\nextents = [0]\n"), "m.toml:2: an extent must be a whole number from 1 to 1048576");
  EXPECT_EQ(complaint("[mesh]\nextents = [1]\nrate = -1\nnodes = [\"a\"]"), "m.toml:3: rate must be a positive number");
  EXPECT_EQ(complaint("[mesh]\nextent = [1]"), "m.toml:2: 'extent' is not known here; allowed: extents, nodes, rate");
  EXPECT_EQ(complaint("[rails]\nrate = 1\nnodes = [\"a\", \"a\"]"), "m.toml:1: two nodes are called 'a'");
  EXPECT_EQ(complaint("[torus]\n[mesh]"), "m.toml:1: [torus] and [mesh] do not go together");
  EXPECT_NE(complaint("").find("describes no network; allowed: [torus]"), std::string::npos);
  EXPECT_NE(complaint("[torus\n").find("m.toml:1: "), std::string::npos);
  EXPECT_EQ(complaint("[[node]]\nname = \"a\"\n[[link]]\nbetween = [\"a\", \"b\"]\nrate = 1"),
            "m.toml:4: there is no node 'b'");
}

}  // namespace
}  // namespace espalier
