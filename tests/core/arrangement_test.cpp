// SPDX-License-Identifier: Apache-2.0
#include "core/arrangement.hpp"

#include <gtest/gtest.h>

namespace espalier::arrangement_test {

TEST(Arrangement, at_first_each_rank_stands_in_its_own_place) {
  const Arrangement baseline(5);
  EXPECT_TRUE(baseline.is_baseline());
  for (Rank rank = 0; rank < 5; ++rank) EXPECT_EQ(baseline.place_of(rank), rank);
}

TEST(Arrangement, ranks_exchange_their_places) {
  Arrangement arrangement(5);
  arrangement.exchange_places(1, 4);
  arrangement.exchange_places(4, 2);  // wherever they stand
  EXPECT_EQ(arrangement.ranks(), (std::vector<Rank>{0, 2, 4, 3, 1}));
  for (Rank place = 0; place < 5; ++place) EXPECT_EQ(arrangement.place_of(arrangement.rank_at(place)), place);
  EXPECT_FALSE(arrangement.is_baseline());
  arrangement.exchange_places(4, 2);
  arrangement.exchange_places(1, 4);
  EXPECT_TRUE(arrangement.is_baseline());
}

TEST(Arrangement, signatures_tell_them_apart) {
  Arrangement arrangement(5);
  const std::uint64_t baseline = arrangement.signature();
  arrangement.exchange_places(3, 4);
  EXPECT_NE(arrangement.signature(), baseline);
  EXPECT_EQ(arrangement.signature(), Arrangement({0, 1, 2, 4, 3}).signature());
}

TEST(Arrangement, must_have_each_rank_once) {
  EXPECT_THROW(Arrangement({0, 1, 1}), std::invalid_argument);
  EXPECT_THROW(Arrangement({0, 1, 3}), std::invalid_argument);
  EXPECT_THROW(Arrangement({0, -1, 2}), std::invalid_argument);
}

}  // namespace espalier::arrangement_test
