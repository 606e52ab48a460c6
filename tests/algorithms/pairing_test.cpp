// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/pairing.hpp"

#include <gtest/gtest.h>

#include <set>

namespace espalier {
namespace {

TEST(Pairing, meets_the_rank_that_meets_it) {
  for (Rank size = 1; size <= 33; ++size) {
    for (int round = 0; round < rounds_of_pairs(size); ++round) {
      for (Rank rank = 0; rank < size; ++rank) {
        const auto other = met_in_round(rank, round, size);
        if (!other) continue;
        EXPECT_EQ(met_in_round(*other, round, size), rank) << size << " ranks, round " << round;
      }
    }
  }
}

TEST(Pairing, meets_everybody_once) {
  for (Rank size = 1; size <= 33; ++size) {
    for (Rank rank = 0; rank < size; ++rank) {
      std::set<Rank> met;
      int rests = 0;
      for (int round = 0; round < rounds_of_pairs(size); ++round) {
        const auto other = met_in_round(rank, round, size);
        rests += other ? 0 : 1;
        if (other) met.insert(*other);
      }
      EXPECT_EQ(std::ssize(met), size - 1) << size << " ranks";
      EXPECT_FALSE(met.contains(rank));
      EXPECT_EQ(rests, size > 1 ? size % 2 : 0);
    }
  }
}

}  // namespace
}  // namespace espalier
