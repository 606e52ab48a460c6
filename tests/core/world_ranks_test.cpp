// SPDX-License-Identifier: Apache-2.0
#include "core/world_ranks.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

void expect_ranks(const std::vector<int>& expected, bool regular) {
  const WorldRanks ranks(expected);
  EXPECT_EQ(ranks.is_regular(), regular);
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(ranks[static_cast<Rank>(k)], expected[k]);
}

TEST(WorldRanks, KeepsRegularCommunicatorsAsTwoNumbers) {
  expect_ranks({0, 1, 2, 3}, true);
  expect_ranks({5}, true);
  expect_ranks({3, 7, 11}, true);
  expect_ranks({9, 6, 3, 0}, true);
}

TEST(WorldRanks, KeepsAnyOtherCommunicatorAsATable) {
  expect_ranks({0, 2, 1}, false);
  expect_ranks({4, 5, 7, 8}, false);
}

}  // namespace
}  // namespace espalier
