// SPDX-License-Identifier: Apache-2.0
#include "topology/readers/host_file.hpp"

#include <gtest/gtest.h>

namespace espalier::host_file_test {
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

TEST(HostFile, takes_every_word_that_open_mpi_has_for_slots) {
  EXPECT_EQ(nodes("n01 cpu=2\nn02 count=2 // two\nn03 slots=1 max-slots=4\n"), (std::vector<int>{0, 0, 1, 1, 2}));
  for (const char* most : {"max_slots", "slots-max", "cpu_max", "max-cpu", "count_max", "max_count"}) {
    EXPECT_EQ(nodes(std::string("n02 ") + most + "=2\n"), (std::vector<int>{1, 1})) << most;
    EXPECT_EQ(nodes(std::string("n02 ") + most + "=2 slots=1\n"), std::vector<int>{1}) << most;
  }
  EXPECT_EQ(nodes("n02 user-name=me port=22 sockets=2 cores_per_socket=8 cpu-set=0-3"), std::vector<int>{1});
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
            "hosts:1: 'slot' is not known here; allowed: slots, cpu, count, max_slots (and, passed over: user, port, "
            "binding, ifname and the like)");
  EXPECT_EQ(complaint("n01 slots=2 cpu=2"),
            "hosts:1: the number of ranks is there twice; allowed: 'n01 slots=2' or 'n01:2'");
  EXPECT_EQ(complaint("n01 2"), "hosts:1: '2' has no value; allowed: KEY=VALUE");
  EXPECT_EQ(complaint("n01:1048576\nn02"), "hosts:2: too many ranks; allowed: 1048576");
  EXPECT_EQ(complaint(""), "hosts:1: names no host; allowed: lines such as 'n01 slots=2' or 'n01:2'");
}

TEST(HostFile, refuses_lines_that_name_no_host) {
  const std::string allowed = "and names no host; allowed: lines such as 'n01 slots=2' or 'n01:2'";
  EXPECT_EQ(complaint("^n01"), "hosts:1: '^n01' leaves a host out, " + allowed);
  EXPECT_EQ(complaint("n01\n+n1 slots=2"), "hosts:2: '+n1' is a place in an allocation, " + allowed);
  EXPECT_EQ(complaint("rank 0=n01 slot=1"), "hosts:1: 'rank' begins a line of a rankfile, " + allowed);
  EXPECT_EQ(complaint("/* hosts"), "hosts:1: '/*' begins a comment of several lines, " + allowed);
}

TEST(HostFile, takes_an_address_for_a_name) {
  Machine machine;
  machine.nodes = {{"10.0.0.2"}, {"fe80::1"}};
  EXPECT_EQ(nodes_of_ranks("10.0.0.2:2\nme@fe80::1 slots=1\n", "hosts", machine), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(complaint("fe80::2"),
            "hosts:1: the machine has no node 'fe80::2'; allowed: the nodes of its description, such as 'n01'");
}

}  // namespace
}  // namespace espalier::host_file_test
