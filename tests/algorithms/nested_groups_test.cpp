// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/nested_groups.hpp"

#include <gtest/gtest.h>

#include <set>

namespace espalier::nested_groups_test {
namespace {

std::vector<int> sizes(Rank ranks, int radix) {
  const NestedGroups nest(0, ranks, radix);
  std::vector<int> found;
  for (int level = 0; level < nest.levels(); ++level) found.push_back(nest.groups(level));
  return found;
}

TEST(NestedGroups, divide_ranks_into_the_largest_numbers_that_fit) {
  EXPECT_EQ(sizes(128, 4), (std::vector{4, 4, 4, 2}));
  EXPECT_EQ(sizes(288, 9), (std::vector{9, 8, 4}));
  EXPECT_EQ(sizes(7, 4), (std::vector{3, 2})) << "one rank is folded";
  EXPECT_EQ(sizes(1, 2), std::vector<int>{});
}

// Whoever follows the peers of all levels from one rank comes to each member once.
TEST(NestedGroups, lead_to_all_members_over_all_levels) {
  for (Rank ranks = 1; ranks <= 40; ++ranks) {
    for (const int radix : {2, 3, 4, 8}) {
      std::set<Rank> reached = {0};
      for (int level = 0; level < NestedGroups(0, ranks, radix).levels(); ++level) {
        std::set<Rank> more;
        for (const Rank rank : reached) {
          const NestedGroups nest(rank, ranks, radix);
          for (int group = 0; group < nest.groups(level); ++group) more.insert(nest.peer(level, group));
        }
        reached = more;
      }
      EXPECT_EQ(static_cast<Rank>(reached.size()), NestedGroups(0, ranks, radix).members()) << ranks;
    }
  }
}

TEST(NestedGroups, fold_the_surplus_onto_neighbours) {
  const NestedGroups even(0, 7, 4), odd(1, 7, 4), behind(2, 7, 4);
  EXPECT_TRUE(even.stays());
  EXPECT_EQ(even.folded(), 1);
  EXPECT_FALSE(odd.stays());
  EXPECT_EQ(odd.folded(), 0);
  EXPECT_FALSE(behind.has_folded());
  EXPECT_EQ(behind.peer(0, 0), 0) << "members 0, 1 and 2 are ranks 0, 2 and 3";
}

}  // namespace
}  // namespace espalier::nested_groups_test
