// SPDX-License-Identifier: Apache-2.0
#include "topology/host_file.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

Machine three_nodes() {
  Machine machine;
  for (const char* name : {"n01", "n02", "n03"}) machine.nodes.push_back({name});
  return machine;
}

std::vector<int> nodes(const std::string& text) { return nodes_of_ranks(text, "hosts", three_nodes()); }

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(nodes(text));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

TEST(HostFile, is_read_as_open_mpi_does) {
  EXPECT_EQ(nodes("# the hosts\nn02 slots=2 max_slots=4\n\nuser@n01 slots = 1 # one\n"), (std::vector<int>{1, 1, 0}));
}

TEST(HostFile, is_read_as_mpich_does) {
  EXPECT_EQ(nodes("n03:2\r\nn01:1 binding=user:0 ifname=eth1"), (std::vector<int>{2, 2, 0}));
}

TEST(HostFile, has_one_rank_for_each_bare_line_also_of_a_host_that_was_there) {
  EXPECT_EQ(nodes("n01\nn02.cluster.example\nn01\n"), (std::vector<int>{0, 1, 0}));
}

TEST(HostFile, names_the_line_that_is_wrong_and_what_is_allowed) {
  EXPECT_EQ(complaint("n01\n# two\nn04:2"),
            "hosts:3: the machine has no node 'n04'; allowed: the nodes of its description, such as 'n01'");
  EXPECT_EQ(complaint("n01:0"), "hosts:1: a host's ranks must be a whole number from 1 to 1048576");
  EXPECT_EQ(complaint("n01:"), "hosts:1: a host's ranks must be a whole number from 1 to 1048576");
  EXPECT_EQ(complaint("n01 slots=-1"), "hosts:1: a host's ranks must be a whole number from 1 to 1048576");
  EXPECT_EQ(complaint("n01:2 slots=2"),
            "hosts:1: the number of ranks is there twice; allowed: 'n01 slots=2' or 'n01:2'");
  EXPECT_EQ(complaint("n01 slot=2"),
            "hosts:1: 'slot' is not known here; allowed: slots (and, passed over: max_slots, user, binding, ifname)");
  EXPECT_EQ(complaint("n01 2"), "hosts:1: '2' has no value; allowed: KEY=VALUE");
  EXPECT_EQ(complaint("n01:1048576\nn02"), "hosts:2: too many ranks; allowed: 1048576");
  EXPECT_EQ(complaint(""), "hosts:1: names no host; allowed: lines such as 'n01 slots=2' or 'n01:2'");
}

}  // namespace
}  // namespace espalier
