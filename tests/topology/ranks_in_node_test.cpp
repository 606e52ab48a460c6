// SPDX-License-Identifier: Apache-2.0
#include "topology/ranks_in_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace espalier {
namespace {

TEST(RanksInNode, numbers_those_of_the_node_in_their_order_and_no_others) {
  for (const std::vector<Rank>& ranks : {std::vector<Rank>{4, 5, 6}, {0, 3, 6, 9}, {7}, {1, 2, 8}}) {
    const RanksInNode node(ranks);
    for (Rank rank = 0; rank < 12; ++rank) {
      const auto found = std::ranges::find(ranks, rank);
      EXPECT_EQ(node.number_of(rank), found == ranks.end() ? -1 : static_cast<int>(found - ranks.begin()));
    }
  }
  EXPECT_LT(RanksInNode().number_of(0), 0);
}

}  // namespace
}  // namespace espalier
