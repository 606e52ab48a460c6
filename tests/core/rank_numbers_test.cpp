// SPDX-License-Identifier: Apache-2.0
#include "core/rank_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace espalier {
namespace {

TEST(RankNumbers, are_what_they_were_made_of_whether_regular_or_not) {
  const std::vector<std::vector<int>> examples = {{0, 1, 2, 3}, {0, 0, 4, 4, 8, 8}, {5, 5, 5},    {7},      {3, 2, 1},
                                                  {0, 0, 1},    {0, 0, 1, 2, 2},    {0, 1, 0, 1}, {2, 9, 4}};
  for (const std::vector<int>& example : examples) {
    const RankNumbers numbers{std::span<const int>(example)};
    ASSERT_EQ(numbers.size(), example.size());
    for (std::size_t rank = 0; rank < example.size(); ++rank) EXPECT_EQ(numbers[rank], example[rank]);
  }
  EXPECT_TRUE(RankNumbers().empty());
}

TEST(RankNumbers, say_whether_all_are_equal) {
  EXPECT_TRUE(RankNumbers({4, 4, 4}).are_all_equal());
  EXPECT_TRUE(RankNumbers({4}).are_all_equal());
  EXPECT_TRUE(RankNumbers().are_all_equal());
  EXPECT_FALSE(RankNumbers({4, 4, 5}).are_all_equal());
  EXPECT_FALSE(RankNumbers({4, 5, 4}).are_all_equal());
}

}  // namespace
}  // namespace espalier
