// SPDX-License-Identifier: Apache-2.0
#include "core/world_ranks.hpp"

#include <gtest/gtest.h>

namespace espalier::world_ranks_test {
namespace {

void expect_ranks(const std::vector<int>& expected) {
  const WorldRanks ranks(expected);
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(ranks[static_cast<Rank>(k)], expected[k]);
}

TEST(WorldRanks, are_those_of_regular_communicators) {
  expect_ranks({0, 1, 2, 3});
  expect_ranks({5});
  expect_ranks({3, 7, 11});
  expect_ranks({9, 6, 3, 0});
}

TEST(WorldRanks, are_those_of_any_other_communicator) {
  expect_ranks({0, 2, 1});
  expect_ranks({4, 5, 7, 8});
}

}  // namespace
}  // namespace espalier::world_ranks_test
