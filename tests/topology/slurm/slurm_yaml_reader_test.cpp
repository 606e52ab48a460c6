// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm/slurm_yaml_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "topology/slurm/slurm_remarks.hpp"

namespace espalier::slurm_yaml_reader_test {
namespace {

Machine machine(const std::string& text) { return machine_from_slurm_yaml(text, "t.yaml"); }

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(machine(text));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

std::string torus(const std::string& dims, const std::string& rest) {
  return "- topology: t\n  torus3d: {toruses: [{name: pod, dims: " + dims + ", " + rest + "}]}\n";
}

const std::string tree =
    "- topology: a\n  tree:\n    switches:\n      - {switch: s0, nodes: 'a,b'}\n      - {switch: s1, nodes: c}\n"
    "      - {switch: s2, children: 's[0-1]'}\n";
const std::string blocks = "- topology: b\n  block:\n    block_sizes: [2, 4]\n    blocks: [{block: b0, nodes: d}]\n";

TEST(SlurmYamlReader, makes_each_leaf_switch_a_site) {
  const Machine one = machine(tree + "# espalier: rate=2.5e9, nics=2, hop_seconds=1e-6\n");
  EXPECT_EQ(one.nodes, (std::vector<MachineNode>{{"a", 2, 0}, {"b", 2, 0}, {"c", 2, 1}}));
  EXPECT_DOUBLE_EQ(one.nic_bytes_per_second, 2.5e9);
  EXPECT_DOUBLE_EQ(one.hop_seconds, 1e-6);
  EXPECT_TRUE(one.arcs.empty());
}

TEST(SlurmYamlReader, takes_the_topology_that_slurm_takes_unless_a_remark_names_another) {
  const std::string other = "- topology: c\n  cluster_default: TRUE\n  flat: false\n";
  EXPECT_EQ(machine(tree + blocks).nodes.size(), 3u);
  EXPECT_EQ(machine(blocks + tree).nodes, (std::vector<MachineNode>{{"d", 1, 0}}));
  EXPECT_EQ(machine(tree + blocks + "  cluster_default: yes\n").nodes.size(), 1u);
  EXPECT_EQ(machine(blocks + "  cluster_default: true\n" + tree + "# espalier: topology=a\n").nodes.size(), 3u);
  EXPECT_EQ(complaint(tree + other), "t.yaml:9: describes no network; allowed: flat: true");
  EXPECT_EQ(complaint(tree + "# espalier: topology=z"), "t.yaml:7: there is no topology 'z'; allowed: a");
}

TEST(SlurmYamlReader, places_the_nodes_of_a_torus_with_x_fastest) {
  const Machine one = machine(torus("{x: 3, y: 2, z: 2}", "nodes: 'n[00-11]', placements: [{dims: {x: 1}}]"));
  EXPECT_EQ(*one.lattice, (Lattice{{{3, true}, {2, true}, {2, true}}}));
  EXPECT_EQ(one.node_at[static_cast<std::size_t>(one.lattice->number_of({1, 0, 0}))], one.node_named("n01"));
  EXPECT_EQ(one.node_at[static_cast<std::size_t>(one.lattice->number_of({0, 1, 0}))], one.node_named("n03"));
  EXPECT_EQ(one.node_at[static_cast<std::size_t>(one.lattice->number_of({0, 0, 1}))], one.node_named("n06"));
  EXPECT_EQ(one.nic_bytes_per_second, 0);
  EXPECT_DOUBLE_EQ(one.arcs.front().bytes_per_second, default_slurm_rate);
}

TEST(SlurmYamlReader, places_regions_of_a_torus_and_leaves_holes) {
  const Machine one =
      machine(torus("{x: 3, y: 3, z: 1}",
                    "regions: [{anchor: {x: 1, y: 1, z: 0}, dims: {x: 2, y: 2, z: 1}, nodes: 'a[1-4]'}, "
                    "{anchor: {x: 0, y: 0, z: 0}, dims: {x: 1, y: 1, z: 1}, nodes: b}]"));
  EXPECT_EQ(one.node_at[static_cast<std::size_t>(one.lattice->number_of({1, 2, 0}))], one.node_named("a3"));
  EXPECT_EQ(one.node_at[static_cast<std::size_t>(one.lattice->number_of({0, 0, 0}))], one.node_named("b"));
  EXPECT_EQ(std::ranges::count(one.node_at, no_node), 4);
}

TEST(SlurmYamlReader, makes_a_graph_of_several_toruses_unless_a_remark_names_one) {
  const std::string two =
      "- topology: t\n  ring:\n    rings:\n    - {ring: r0, nodes: 'a[1-3]'}\n    - {ring: r1, nodes: 'b[1-4]'}\n";
  const Machine both = machine(two);
  EXPECT_FALSE(both.lattice);
  EXPECT_EQ(both.nodes.size(), 7u);
  EXPECT_EQ(both.arcs.size(), 2u * (3 + 4));
  const Machine one = machine(two + "# espalier: torus=r1\n");
  EXPECT_EQ(*one.lattice, (Lattice{{{4, true}}}));
  EXPECT_EQ(one.nodes.front().name, "b1");
  EXPECT_EQ(complaint(two + "# espalier: torus=r2\n"), "t.yaml:6: there is no ring 'r2'; allowed: r0, r1");
}

TEST(SlurmYamlReader, takes_those_for_all_nodes_that_a_remark_names) {
  const std::string flat = "- topology: t\n  flat: true\n";
  EXPECT_EQ(machine(flat + "# espalier: nodes=n[1-2,4]\n").nodes,
            (std::vector<MachineNode>{{"n1", 1, 0}, {"n2", 1, 0}, {"n4", 1, 0}}));
  EXPECT_EQ(complaint(flat).find("t.yaml:2: 'ALL' are nodes that this file does not name; allowed: a list"), 0u);
}

TEST(SlurmYamlReader, refuses_what_is_no_topology) {
  EXPECT_EQ(complaint(""),
            "t.yaml:1: describes no network; allowed: Slurm's topology.yaml, a list with an item '- topology: NAME'");
  EXPECT_EQ(complaint("tree: {}").find("t.yaml:1: describes no network"), 0u);
  EXPECT_EQ(complaint("- a"), "t.yaml:1: a topology must be a mapping: '- topology: NAME'");
  EXPECT_EQ(complaint("- topology: t"), "t.yaml:1: describes no network; allowed: tree, block, ring, torus3d or flat");
  EXPECT_EQ(complaint(tree + "  flat: true"), "t.yaml:7: 'tree' and 'flat' do not go together");
  EXPECT_EQ(complaint("- topology: t\n  dragonfly: {}"),
            "t.yaml:2: 'dragonfly' is not known here; allowed: block, cluster_default, flat, ring, topology, torus3d, "
            "tree");
  EXPECT_EQ(complaint("- topology: t\n  cluster_default: maybe\n  flat: true"),
            "t.yaml:2: 'cluster_default' must be true or false");
}

TEST(SlurmYamlReader, refuses_fields_that_are_not_what_they_should_be) {
  const std::string begin = "- topology: t\n  tree:\n    ";
  EXPECT_EQ(complaint(begin + "switches: s0"), "t.yaml:3: 'switches' must be a list, and not empty");
  EXPECT_EQ(complaint(begin + "switches: [s0]"), "t.yaml:3: an item of 'switches' must be a mapping");
  EXPECT_EQ(complaint(begin + "switches: [{nodes: a}]"), "t.yaml:3: 'switch' is missing");
  EXPECT_EQ(complaint(begin + "switches: [{switch: s0, nodes: [a]}]"), "t.yaml:3: 'nodes' must be a text");
  EXPECT_EQ(complaint(begin + "switches: [{switch: s0, node: a}]"),
            "t.yaml:3: 'node' is not known here; allowed: children, nodes, switch");
  EXPECT_EQ(complaint("- topology: t\n  tree: x"), "t.yaml:2: 'tree' must be a mapping; allowed in it: switches");
  EXPECT_EQ(complaint(begin + "switches: [{switch: s0, children: s0}]"),
            "t.yaml:3: switch 's0' is below itself; allowed: what has no ring");
  EXPECT_EQ(complaint(tree + "# espalier: extents=1x1x1"),
            "t.yaml:7: 'extents' is not known here; allowed: arithmetic, hop_seconds, nics, nodes, rate, topology");
}

TEST(SlurmYamlReader, refuses_what_is_no_torus) {
  EXPECT_EQ(complaint(torus("{x: 2, y: 2, z: 1}", "nodes: 'n[1-3]'")),
            "t.yaml:2: 3 nodes are named, but 2x2x1 are 4 places");
  EXPECT_EQ(complaint(torus("{x: 0, y: 2, z: 1}", "nodes: n")), "t.yaml:2: x must be a whole number from 1 to 1048576");
  EXPECT_EQ(complaint(torus("{x: 1, y: 2}", "nodes: n")), "t.yaml:2: 'z' is missing");
  EXPECT_EQ(complaint(torus("{x: 2000, y: 2000, z: 1}", "nodes: n")),
            "t.yaml:2: too many places for nodes; allowed: 1048576");
  EXPECT_EQ(complaint(torus("{x: 1, y: 1, z: 1}", "nodes: n, regions: []")),
            "t.yaml:2: 'nodes' and 'regions' do not go together; allowed: one of them");
  EXPECT_EQ(complaint(torus("{x: 2, y: 1, z: 1}", "nodes: 'n,n'")), "t.yaml:2: node 'n' is there twice");
  const std::string region = "{anchor: {x: 1, y: 0, z: 0}, dims: {x: 1, y: 1, z: 1}, nodes: ";
  EXPECT_EQ(complaint(torus("{x: 1, y: 1, z: 1}", "regions: [" + region + "n}]")),
            "t.yaml:2: a node lies outside the extents, which are 1x1x1");
  EXPECT_EQ(complaint(torus("{x: 2, y: 1, z: 1}", "regions: [" + region + "n}, " + region + "m}]")),
            "t.yaml:2: nodes 'n' and 'm' are at one place; allowed: one node at each");
  EXPECT_EQ(complaint("- topology: t\n  ring: {rings: [{ring: r, nodes: a}, {ring: r, nodes: b}]}"),
            "t.yaml:2: 'r' is described twice");
}

}  // namespace
}  // namespace espalier::slurm_yaml_reader_test
