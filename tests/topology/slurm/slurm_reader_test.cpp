// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm/slurm_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace espalier::slurm_reader_test {
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
  EXPECT_EQ(machine.nodes, (std::vector<MachineNode>{{"a", 1, 0}, {"b", 1, 0}, {"c", 1, 1}}));
  EXPECT_DOUBLE_EQ(machine.nic_bytes_per_second, default_slurm_rate);
  EXPECT_EQ(machine.wan_seconds, 0);
  EXPECT_TRUE(machine.arcs.empty());
  EXPECT_FALSE(machine.lattice);
}

TEST(SlurmReader, heeds_the_remarks_that_slurm_does_not_read) {
  const Machine machine = machine_from_slurm(
      "# espalier: rate=2.5e9, nics=2\nSwitchName=s0 Nodes=a\n# espalier: hop_seconds=1e-6", "t.conf");
  EXPECT_EQ(machine.nodes, (std::vector<MachineNode>{{"a", 2, 0}}));
  EXPECT_DOUBLE_EQ(machine.nic_bytes_per_second, 2.5e9);
  EXPECT_DOUBLE_EQ(machine.hop_seconds, 1e-6);
}

TEST(SlurmReader, joins_lines_within_a_word) {
  EXPECT_EQ(machine_from_slurm("SwitchName=s0 Nodes=n[1-2]\\\n,n3\n", "t.conf").nodes,
            (std::vector<MachineNode>{{"n1", 1, 0}, {"n2", 1, 0}, {"n3", 1, 0}}));
}

TEST(SlurmReader, takes_blanks_in_a_list_for_commas) {
  EXPECT_EQ(machine_from_slurm("SwitchName=s0 Nodes=\" a, b\tc[1-2] ,d \"", "t.conf").nodes,
            (std::vector<MachineNode>{{"a", 1, 0}, {"b", 1, 0}, {"c1", 1, 0}, {"c2", 1, 0}, {"d", 1, 0}}));
}

TEST(SlurmReader, makes_each_block_a_site) {
  const Machine machine =
      machine_from_slurm("BlockName=b0 Nodes=a,b\nBlockName=b1 Nodes=c\nBlockSizes=2,4\n# espalier: nics=4", "t.conf");
  EXPECT_EQ(machine.nodes, (std::vector<MachineNode>{{"a", 4, 0}, {"b", 4, 0}, {"c", 4, 1}}));
  EXPECT_DOUBLE_EQ(machine.nic_bytes_per_second, default_slurm_rate);
}

TEST(SlurmReader, takes_what_scontrol_shows) {
  EXPECT_EQ(machine_from_slurm("SwitchName=s0 Level=0 LinkSpeed=1 Nodes=a\n"
                               "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=b\n"
                               "SwitchName=s2 Level=1 LinkSpeed=1 Nodes=a,b Switches=s[0-1]\n",
                               "t.conf")
                .nodes,
            (std::vector<MachineNode>{{"a", 1, 0}, {"b", 1, 1}}));
  EXPECT_EQ(machine_from_slurm("BlockName=b0 BlockIndex=0 Nodes=a BlockSize=1\n"
                               "BlockName=b1 BlockIndex=1 Nodes=10.0.0.2 BlockSize=1\n"
                               "AggregatedBlock=b[0-1] BlockIndex=2 Nodes=a,10.0.0.2 BlockSize=2\n",
                               "t.conf")
                .nodes,
            (std::vector<MachineNode>{{"a", 1, 0}, {"10.0.0.2", 1, 1}}));
}

TEST(SlurmReader, takes_those_for_all_nodes_that_the_file_names) {
  const std::vector<MachineNode> nodes = {{"a", 1, 0}, {"b1", 1, 0}, {"b2", 1, 0}};
  EXPECT_EQ(machine_from_slurm("# espalier: nodes=a,b[1-2]\nSwitchName=s0 Nodes=ALL", "t.conf").nodes.size(), 3u);
  EXPECT_EQ(machine_from_slurm("SwitchName=s0 Nodes=all\nNodeName=a CPUs=2\nNodeName=b[1-2]", "t.conf").nodes, nodes);
  EXPECT_EQ(machine_from_slurm("BlockName=b Nodes=ALL\nNodeName=DEFAULT\nNodeName=a,b1,b2", "t.conf").nodes, nodes);
}

TEST(SlurmReader, passes_over_switches_without_nodes) {
  EXPECT_EQ(machine_from_slurm("SwitchName=s0\nSwitchName=s1 Nodes=a\nSwitchName=s2 Switches=s[0-1]", "t.conf").nodes,
            (std::vector<MachineNode>{{"a", 1, 0}}));
}

TEST(SlurmReader, takes_a_switch_below_several_others) {
  const std::string leaves = "SwitchName=s0 Nodes=a\nSwitchName=s1 Nodes=b\n";
  EXPECT_EQ(machine_from_slurm(leaves + "SwitchName=s2 Switches=s[0-1]\nSwitchName=s3 Switches=s[0-1]", "t.conf").nodes,
            (std::vector<MachineNode>{{"a", 1, 0}, {"b", 1, 1}}));
}

TEST(SlurmReader, takes_of_several_descriptions_the_one_that_slurm_does) {
  const std::string both = "SwitchName=s0 Nodes=a\nBlockName=b0 Nodes=c,d\nNodeName=n000\n";
  EXPECT_EQ(machine_from_slurm(both + "TopologyPlugin=topology/tree", "t.conf").nodes.size(), 1u);
  EXPECT_EQ(machine_from_slurm(both + "TopologyPlugin=topology/block", "t.conf").nodes.size(), 2u);
  EXPECT_TRUE(machine_from_slurm(both + "TopologyPlugin=topology/3d_torus", "t.conf").lattice);
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
            "t.conf:1: there is no switch 's0'; allowed: those that this file describes");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a\nSwitchName=s1 Nodes=[0-1],a"),
            "t.conf:2: node 'a' is under switch 's0' already; a node is under one switch, once");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a,a"),
            "t.conf:1: node 'a' is under switch 's0' already; a node is under one switch, once");
  EXPECT_EQ(complaint("BlockName=b0 Nodes=a\nBlockName=b1 Nodes=a"),
            "t.conf:2: node 'a' is under block 'b0' already; a node is under one block, once");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a\nSwitchName=s1 Switches=s2\nSwitchName=s2 Switches=s1"),
            "t.conf:2: switch 's1' is below itself; allowed: what has no ring");
  EXPECT_EQ(complaint("SwitchName=s0 Switches=s0"), "t.conf:1: switch 's0' is below itself; allowed: what has no ring");
  EXPECT_EQ(complaint("SwitchName=s3 Nodes=a\nSwitchName=s0 Switches=s3,s1\nSwitchName=s1 Switches=s2\n"
                      "SwitchName=s2 Switches=s1"),
            "t.conf:3: switch 's1' is below itself; allowed: what has no ring");
}

TEST(SlurmReader, refuses_what_is_no_switch) {
  EXPECT_EQ(complaint("SwitchName=s0"), "t.conf:1: no switch has nodes; allowed: Nodes=tux[0-5,7]");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a Switches=b"),
            "t.conf:1: switch 's0' has nodes and switches; allowed: one of them");
  EXPECT_EQ(complaint("SwitchName=s[0-1] Nodes=a"),
            "t.conf:1: 's[0-1]': a name stands for one switch; allowed: a name such as s0");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a\nSwitchName=s0 Nodes=b"), "t.conf:2: switch 's0' is described twice");
  EXPECT_EQ(complaint("SwitchName=s0 Node=a"),
            "t.conf:1: 'node' is not known here; allowed: level, linkspeed, nodes, switches, switchname");
  EXPECT_EQ(complaint("BlockName=b0 Switches=a"),
            "t.conf:1: 'switches' is not known here; allowed: blockindex, blockname, blocksize, nodes");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a Nodes=b"), "t.conf:1: 'nodes' is there twice");
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a["), "t.conf:1: 'a[': a bracket is not closed; allowed: NAME[0-5,7]");
}

TEST(SlurmReader, refuses_all_nodes_where_nobody_says_who_they_are) {
  EXPECT_EQ(complaint("\nSwitchName=s0 Nodes=ALL"),
            "t.conf:2: 'ALL' are nodes that this file does not name; allowed: a list such as tux[0-5,7], or a comment "
            "that names them, # espalier: nodes=tux[0-5,7]");
}

TEST(SlurmReader, refuses_what_is_no_torus) {
  EXPECT_NE(complaint("NodeName=tux").find("t.conf:1: node 'tux' does not end in its place in a torus; allowed: X, Y"),
            std::string::npos);
  EXPECT_NE(complaint("NodeName=12").find("does not end in its place"), std::string::npos);
  EXPECT_EQ(complaint("NodeName=n000\nNodeName=m000"),
            "t.conf:2: nodes 'n000' and 'm000' are at one place; allowed: one node at each");
  EXPECT_EQ(complaint("# espalier: extents=2x2x2\nNodeName=n002"),
            "t.conf:2: a node lies outside the extents, which are 2x2x2");
  EXPECT_EQ(complaint("NodeName=DEFAULT"), "t.conf:1: there is no node; allowed: a list of nodes");
}

TEST(SlurmReader, refuses_what_describes_no_network) {
  const std::string allowed =
      "allowed: SwitchName=NAME for a tree, BlockName=NAME for blocks, NodeName=LIST for a torus";
  EXPECT_EQ(complaint(""), "t.conf:1: describes no network; " + allowed);
  EXPECT_EQ(complaint("# nothing\n"), "t.conf:1: describes no network; " + allowed);
  EXPECT_EQ(complaint("\nTorusName=t Nodes=a"), "t.conf:2: a line begins with 'torusname'; " + allowed);
  EXPECT_EQ(complaint("SwitchName=s0 Nodes=a\nBlockName=b0 Nodes=a"),
            "t.conf:2: switches and blocks do not go together; allowed: lines of one kind, or a line "
            "TopologyPlugin=topology/tree or TopologyPlugin=topology/block, which says which");
  EXPECT_NE(complaint("TopologyPlugin=topology/tree\nNodeName=a").find("topology.conf instead of this file"),
            std::string::npos);
  EXPECT_NE(complaint("TopologyPlugin=topology/flat\nSwitchName=s Nodes=a").find("no such network"), std::string::npos);
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
            "t.conf:1: 'extents' is not known here; allowed: arithmetic, hop_seconds, nics, nodes, rate");
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
}  // namespace espalier::slurm_reader_test
