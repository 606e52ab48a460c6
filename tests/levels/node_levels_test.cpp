// SPDX-License-Identifier: Apache-2.0
#include "levels/node_levels.hpp"

#include <gtest/gtest.h>

#include "levels/small_node.hpp"

namespace espalier::node_levels_test {
namespace {

TEST(NodeLevels, say_where_two_cores_meet) {
  const NodeLevels node = node_of_pairs();
  EXPECT_EQ(node.cores(), 4);
  EXPECT_EQ(node.groups(0), 2);
  EXPECT_EQ(node.level_between(0, 1), 0u);
  EXPECT_EQ(node.level_between(1, 2), 1u);
  EXPECT_EQ(node.level_between(3, 3), 0u);
}

TEST(NodeLevels, take_ranks_in_order_or_in_turn) {
  EXPECT_EQ(placed_in_order(3), (std::vector{0, 1, 2}));
  EXPECT_EQ(placed_in_turn(node_of_pairs(), 4), (std::vector{0, 2, 1, 3}));
}

}  // namespace
}  // namespace espalier::node_levels_test
