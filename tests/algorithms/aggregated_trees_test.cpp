// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/aggregated_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace espalier {
namespace {

// Each place is reached once, from one that was there.
void expect_trees(Rank size, int max_together) {
  std::vector<bool> has(static_cast<std::size_t>(size));
  has[0] = true;
  for (const AggregatedMessage& message : aggregated_messages(size, max_together)) {
    EXPECT_LE(message.count, max_together);
    for (int k = 0; k < message.count; ++k) {
      ASSERT_LT(message.place(k) + message.distance, size);
      EXPECT_TRUE(has[message.place(k)]);
      EXPECT_FALSE(has[message.place(k) + message.distance]);
      has[message.place(k) + message.distance] = true;
    }
  }
  EXPECT_TRUE(std::ranges::all_of(has, [](bool one) { return one; })) << size << " ranks";
}

TEST(AggregatedTrees, reach_everybody_once) {
  for (Rank size = 1; size <= 33; ++size) {
    for (const int max_together : {1, 2, 3, 8, 33}) expect_trees(size, max_together);
  }
}

TEST(AggregatedTrees, take_logarithmic_steps_if_all_may_go_together) {
  EXPECT_EQ(aggregated_messages(8, 8).size(), 3U);
  EXPECT_EQ(aggregated_messages(9, 9).size(), 4U);
  EXPECT_EQ(aggregated_messages(64, 64).size(), 6U);
}

TEST(AggregatedTrees, take_a_step_for_each_rank_if_nothing_may) { EXPECT_EQ(aggregated_messages(8, 1).size(), 7U); }

}  // namespace
}  // namespace espalier
