// SPDX-License-Identifier: Apache-2.0
#include "draw/positions.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace espalier {
namespace {

TEST(Positions, put_a_parent_above_the_middle_of_its_children) {
  const Positions positions = place_nodes(4, 2, {{2, 0}, {2, 1}, {2, 3}});
  ASSERT_TRUE(positions.is_tree);
  EXPECT_DOUBLE_EQ(positions.at[2].y, 0);
  EXPECT_DOUBLE_EQ(positions.at[2].x, positions.at[1].x);
  EXPECT_LT(positions.at[0].x, positions.at[1].x);
  EXPECT_LT(positions.at[1].x, positions.at[3].x);
  EXPECT_GT(positions.at[0].y, 0);
  EXPECT_DOUBLE_EQ(positions.at[0].y, positions.at[3].y);
}

TEST(Positions, find_a_tree_when_messages_go_up_and_down) {
  EXPECT_TRUE(place_nodes(3, 0, {{1, 0}, {2, 0}, {0, 1}, {0, 2}}).is_tree);
}

TEST(Positions, lay_a_chain_down) {
  const Positions positions = place_nodes(5, 0, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  ASSERT_TRUE(positions.is_tree);
  for (int rank = 1; rank < 5; ++rank) {
    EXPECT_DOUBLE_EQ(positions.at[rank].y, 0);
    EXPECT_GT(positions.at[rank].x, positions.at[rank - 1].x);
  }
}

TEST(Positions, put_all_ranks_on_a_circle_when_there_is_no_tree) {
  const std::vector<std::vector<RankPair>> graphs = {
      {{0, 1}, {1, 2}, {2, 3}, {3, 0}},  // a ring
      {{0, 1}, {2, 3}},                  // not connected
      {{0, 1}, {1, 2}, {2, 0}},          // as many edges as a tree of four ranks, but one rank is alone
      {},
  };
  for (const auto& edges : graphs) {
    const Positions positions = place_nodes(4, 0, edges);
    EXPECT_FALSE(positions.is_tree);
    const double radius = positions.at[0].x;
    for (const Point& point : positions.at) EXPECT_NEAR(std::hypot(point.x - radius, point.y - radius), radius, 1e-9);
  }
}

}  // namespace
}  // namespace espalier
