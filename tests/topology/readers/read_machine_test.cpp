// SPDX-License-Identifier: Apache-2.0
#include "topology/readers/read_machine.hpp"

#include <gtest/gtest.h>

namespace espalier::read_machine_test {
namespace {

TEST(ReadMachine, takes_the_reader_that_the_name_of_the_file_says) {
  EXPECT_EQ(read_machine("SwitchName=s0 Nodes=a,b", "/etc/slurm/topology.conf").nodes.size(), 2u);
  EXPECT_EQ(read_machine("[{topology: t, ring: {rings: [{ring: r, nodes: 'a,b'}]}}]", "topology.yaml").nodes.size(),
            2u);
  EXPECT_EQ(read_machine("[{topology: t, ring: {rings: [{ring: r, nodes: 'a,b'}]}}]", "topology.yml").nodes.size(), 2u);
  const std::string toml = "[mesh]\nextents = [2]\nrate = 1\nnodes = [\"a\", \"b\"]\n";
  EXPECT_EQ(read_machine(toml, "machine.toml").nodes.size(), 2u);
  EXPECT_EQ(read_machine(toml, "machine").nodes.size(), 2u);
  EXPECT_THROW(static_cast<void>(read_machine(toml, "machine.conf")), BadDescription);
}

TEST(ReadMachine, refuses_a_node_and_says_what_shows_it) {
  try {
    static_cast<void>(read_machine("<topology/>", "node.xml"));
    FAIL();
  } catch (const BadDescription& bad) {
    EXPECT_EQ(std::string(bad.what()).find("node.xml:1: hwloc describes one node, not how nodes are joined; allowed: "),
              0u);
  }
}

}  // namespace
}  // namespace espalier::read_machine_test
