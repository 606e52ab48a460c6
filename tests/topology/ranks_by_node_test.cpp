// SPDX-License-Identifier: Apache-2.0
#include "topology/ranks_by_node.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(RanksByNode, numbers_nodes_in_the_order_of_their_lowest_ranks) {
  const RanksByNode nodes(std::vector<int>{70, 3, 70, 9, 3, 70});
  EXPECT_EQ(nodes.nodes(), 3);
  EXPECT_EQ(nodes.node_of(0), 0);
  EXPECT_EQ(nodes.node_of(4), 1);
  EXPECT_EQ(nodes.node_of(3), 2);
  const auto ranks = nodes.ranks_on(0);
  EXPECT_EQ(std::vector<Rank>(ranks.begin(), ranks.end()), (std::vector<Rank>{0, 2, 5}));
  EXPECT_EQ(nodes.fewest_ranks(), 1);
}

TEST(RanksByNode, has_levels_where_several_ranks_share_one_of_several_nodes) {
  EXPECT_TRUE(RanksByNode(std::vector<int>{0, 0, 1}).has_levels());
  EXPECT_FALSE(RanksByNode(std::vector<int>{0, 0, 0}).has_levels()) << "one node";
  EXPECT_FALSE(RanksByNode(std::vector<int>{0, 1, 2}).has_levels()) << "one rank on each";
}

}  // namespace
}  // namespace espalier
