// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace espalier {
namespace {

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(machine_from_slurm(text, "t.conf"));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

TEST(SlurmReader, makes_each_leaf_switch_a_site) {
  const Machine machine = machine_from_slurm(
      "SwitchName=s2 Switches=s[0-1] LinkSpeed=7\nSWITCHNAME=s0 NODES=a,b\nswitchname=s1 nodes=c", "t.conf");
  EXPECT_EQ(machine.nodes, (std::vector<Node>{{"a", 1, 0}, {"b", 1, 0}, {"c", 1, 1}}));
  EXPECT_DOUBLE_EQ(machine.nic_bytes_per_second, default_slurm_rate);
  EXPECT_EQ(machine.wan_seconds, 0);
  EXPECT_TRUE(machine.arcs.empty());
  EXPECT_FALSE(machine.lattice);
}

TEST(SlurmReader, heeds_the_remarks_that_slurm_does_not_read) {
  const Machine machine = machine_from_slurm(
      "# espalier: rate=2.5e9, nics=2\nSwitchName=s0 Nodes=a\n# espalier: hop_seconds=1e-6", "t.conf");
  EXPECT_EQ(machine.nodes, (std::vector<Node>{{"a", 2, 0}}));
  EXPECT_DOUBLE_EQ(machine.nic_bytes_per_second, 2.5e9);
  EXPECT_DOUBLE_EQ(machine.hop_seconds, 1e-6);
}

TEST(SlurmReader, finds_the_places_of_a_torus_in_the_names) {
  const Machine machine = machine_from_slurm("NodeName=n[000x120],n00A Sockets=2\nNodeName=DEFAULT CPUs=4", "t.conf");
  EXPECT_EQ(*machine.lattice, (Lattice{{{2, true}, {3, true}, {11, true}}}));
  EXPECT_EQ(machine.nodes.size(), 7u);
  EXPECT_EQ(machine.node_at[static_cast<std::size_t>(machine.lattice->number_of({1, 2, 0}))],
            machine.node_named("n120"));
  EXPECT_EQ(machine.node_at[static_cast<std::size_t>(machine.lattice->number_of({0, 0, 10}))],
            machine.node_named("n00A"));
  EXPECT_EQ(std::ranges::count(machine.node_at, no_node), 2 * 3 * 11 - 7);
  EXPECT_EQ(machine.nic_bytes_per_second, 0);
  EXPECT_DOUBLE_EQ(machine.arcs.front().bytes_per_second, default_slurm_rate);
}

TEST(SlurmReader, takes_the_extents_of_a_torus_whose_last_nodes_are_missing) {
  const Machine machine = machine_from_slurm("NodeName=n000\n# espalier: extents=4x3x1 rate=5e9", "t.conf");
  EXPECT_EQ(*machine.lattice, (Lattice{{{4, true}, {3, true}, {1, false}}}));
  EXPECT_TRUE(machine.arcs.empty());
}

TEST(SlurmReader, passes_over_the_rest_of_a_slurm_conf) {
  const Machine machine = machine_from_slurm(
      "ClusterName=c\nTopologyPlugin=topology/3d_torus\nNodeName=n[000x002]\nPartitionName=p Nodes=ALL", "slurm.conf");
  EXPECT_EQ(machine.nodes.size(), 3u);
}

TEST(SlurmReader, refuses_what_is_no_tree) {
  EXPECT_EQ(complaint("SwitchName=s1 Switches=s0"),
            "t.conf:1: there is no switch 's0'; allowed: those with a line SwitchName=NAME");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a\nSwitchName=s1 Nodes=[0-1],a"),
            "t.conf:2: node 'a' is under switch 's0' already; a node is under one switch, once");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a,a"),
            "t.conf:1: node 'a' is under switch 's0' already; a node is under one switch, once");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a\nSwitchName=s1 Switches=s0\n\nSwitchName=s2 Switches=s0"),
            "t.conf:4: switch 's0' is under 's1' already; a switch is under one other, once");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a\nSwitchName=s1 Switches=s2\nSwitchName=s2 Switches=s1"),
            "t.conf:2: switch 's1' is below itself; allowed: trees");
  EXPECT_EQ(complaint("SwitchName=s0 Switches=s0"), "t.conf:1: switch 's0' is below itself; allowed: trees");
  EXPECT_EQ(complaint("SwitchName=s3 Nodes=a\nSwitchName=s0 Switches=s1,s3\nSwitchName=s1 Switches=s2\n"
                      "SwitchName=s2 Switches=s1"),
            "t.conf:4: switch 's1' is under 's0' already; a switch is under one other, once");
}

TEST(SlurmReader, refuses_what_is_no_switch) {
  EXPECT_EQ(complaint("SwitchName=s0"), "t.conf:1: switch 's0' needs either Nodes=LIST or Switches=LIST");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a Switches=b"),
            "t.conf:1: switch 's0' needs either Nodes=LIST or Switches=LIST");
  EXPECT_EQ(complaint("SwitchName=s[0-1] Nodes=a"),
            "t.conf:1: 's[0-1]': a line describes one switch; allowed: SwitchName=s0");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a\nSwitchName=s0 Nodes=b"), "t.conf:2: switch 's0' is described twice");
  EXPECT_EQ(complaint("SwitchName=s0 Node=a"),
            "t.conf:1: 'node' is not known here; allowed: linkspeed, nodes, switches, switchname");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a Nodes=b"), "t.conf:1: 'nodes' is there twice");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a["), "t.conf:1: 'a[': a bracket is not closed; allowed: NAME[0-5,7]");
}

TEST(SlurmReader, refuses_what_is_no_torus) {
  EXPECT_NE(complaint("NodeName=tux").find("t.conf:1: node 'tux' does not end in its place in a torus; allowed: X, Y"),
            std::string::npos);
  EXPECT_NE(complaint("NodeName=12").find("does not end in its place"), std::string::npos);
  EXPECT_EQ(complaint("NodeName=n000\nNodeName=m000"),
            "t.conf:2: nodes 'n000' and 'm000' are at one place; allowed: one node at each");
  EXPECT_EQ(complaint("# espalier: extents=2x2x2\nNodeName=n002"),
            "t.conf:2: a node lies outside the extents of line 1");
  EXPECT_EQ(complaint("NodeName=DEFAULT"), "t.conf:1: there is no node; allowed: NodeName=tux[000x333]");
}

TEST(SlurmReader, refuses_what_describes_no_network) {
  const std::string allowed = "allowed: SwitchName=NAME for a tree, NodeName=LIST for a torus";
  EXPECT_EQ(complaint(""), "t.conf:1: describes no network; " + allowed);
  EXPECT_EQ(complaint("# nothing\n"), "t.conf:1: describes no network; " + allowed);
  EXPECT_EQ(complaint("\nBlockName=b Nodes=a"), "t.conf:2: a line begins with 'blockname'; " + allowed);
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a\nNodeName=n000"),
            "t.conf:2: SwitchName and NodeName do not go together; allowed: a tree or a torus");
  EXPECT_NE(complaint("TopologyPlugin=topology/tree\nNodeName=a").find("topology.conf instead of this file"),
            std::string::npos);
}

TEST(SlurmReader, refuses_remarks_that_it_does_not_understand) {
  const std::string tree = "\nSwitchName=s0 Nodes=a", torus = "\nNodeName=n000";
  EXPECT_EQ(complaint("# espalier: rate=fast" + tree), "t.conf:1: rate must be a positive number");
  EXPECT_EQ(complaint("# espalier: rate=-1" + tree), "t.conf:1: rate must be a positive number");
  EXPECT_EQ(complaint("# espalier: rate=inf" + torus), "t.conf:1: rate must be a positive number");
  EXPECT_EQ(complaint("# espalier: nics=17" + tree), "t.conf:1: nics must be a whole number from 1 to 16");
  EXPECT_EQ(complaint("# espalier: rate=1\n# espalier: rate=2" + tree), "t.conf:2: 'rate' is there twice");
  EXPECT_EQ(complaint("# espalier: nics=2" + torus),
            "t.conf:1: 'nics' is not known here; allowed: arithmetic, extents, hop_seconds, rate");
  EXPECT_EQ(complaint("# espalier: extents=1x1x1" + tree),
            "t.conf:1: 'extents' is not known here; allowed: arithmetic, hop_seconds, nics, rate");
  EXPECT_EQ(complaint("# espalier: extents=3x3" + torus), "t.conf:1: three extents are needed: 4x4x4");
  EXPECT_EQ(complaint("# espalier: extents=3x3x37" + torus), "t.conf:1: an extent must be a whole number from 1 to 36");
  EXPECT_EQ(complaint("# espalier: extents=3x3x" + torus), "t.conf:1: an extent must be a whole number from 1 to 36");
}

TEST(SlurmReader, refuses_more_names_than_a_machine_has_before_there_are_any) {
  EXPECT_NE(complaint("SwitchName=s0 Nodes=a[0-9999999]").find("too many names; allowed: 1048576 more"),
            std::string::npos);
  std::string many;
  for (int k = 0; k < 3; ++k)
    many += "SwitchName=s" + std::to_string(k) + " Nodes=r" + std::to_string(k) + "n[1-400000]\n";
  EXPECT_EQ(complaint(many), "t.conf:3: '1-400000': too many names; allowed: 248576 more");
}

}  // namespace
}  // namespace espalier
