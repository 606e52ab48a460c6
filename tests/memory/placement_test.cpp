// SPDX-License-Identifier: Apache-2.0
#include "memory/placement.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "memory/examples.hpp"

namespace espalier {
namespace {

TEST(Placement, says_how_many_ranks_each_node_has) {
  const auto text = [](const std::vector<int>& node_of) { return ranks_of_nodes(node_of).text; };
  EXPECT_EQ(text({7, 7, 3, 3, 9}), "2 2 1");
  EXPECT_EQ(text({5, 5, 5}), "3");
  EXPECT_EQ(text({2, 8, 2, 8}), "not by node: 0 1 0 1");
  EXPECT_EQ(ranks_of_nodes(std::vector{2, 8, 2, 8}).nodes, 2);
}

TEST(Placement, says_once_what_many_numbers_have_in_common) {
  std::vector<int> rising(9216);
  std::iota(rising.begin(), rising.end(), 3);
  EXPECT_EQ(brief_text(rising), "3-9218");
  EXPECT_EQ(brief_text(std::vector<int>(100, 2)), "2 x100");
  EXPECT_EQ(brief_text(std::vector{1, 2, 3, 3}), "1 2 3 3") << "few are written out";
  rising.push_back(1);
  EXPECT_EQ(brief_text(rising), "3-9218 1");
}

TEST(Placement, has_another_fingerprint_wherever_something_differs) {
  const Placement one = eight_ranks();
  std::vector<Placement> others(6, one);
  others[0].mpi += "!";
  others[1].network = "x";
  others[2].ranks_of_nodes = "5 3";
  others[3].ranks = 9;
  others[4].nodes = 1;
  others[5].cores = 8;
  EXPECT_EQ(one.fingerprint(), eight_ranks().fingerprint());
  for (const Placement& other : others) EXPECT_NE(other.fingerprint(), one.fingerprint());
}

TEST(Placement, fingerprints_are_written_with_16_digits) {
  EXPECT_EQ(fingerprint_text(0x1f), "000000000000001f");
  EXPECT_EQ(fingerprint_text(~std::uint64_t{0}), "ffffffffffffffff");
}

}  // namespace
}  // namespace espalier
