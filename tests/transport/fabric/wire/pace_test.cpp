// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/wire/pace.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

constexpr std::size_t piece = 65536;
constexpr double one_piece_in_nine_seconds = piece / 9.0;

TEST(Pace, what_was_given_to_a_slow_nic_is_there_for_long) {
  Pace pace(one_piece_in_nine_seconds);
  EXPECT_TRUE(pace.has_at_most(0));
  pace.note(piece);
  pace.note(piece);
  pace.note(piece);
  EXPECT_FALSE(pace.has_at_most(piece));
}

TEST(Pace, what_receivers_say_counts_where_a_nic_is_faster_than_it_should_be) {
  Pace pace(one_piece_in_nine_seconds);
  for (int k = 0; k < 100; ++k) pace.note(piece);
  pace.note_left(piece);
  EXPECT_TRUE(pace.has_at_most(piece));
  EXPECT_FALSE(pace.has_at_most(0));
  pace.note_left(3 * piece);
  EXPECT_TRUE(pace.has_at_most(piece));
}

TEST(Pace, nothing_waits_for_a_nic_whose_rate_is_not_known) {
  Pace pace(0);
  pace.note(1000 * piece);
  EXPECT_TRUE(pace.has_at_most(0));
}

TEST(Pace, takes_any_rate) {
  for (const double rate : {1e-309, 1e-12, 1e300}) {
    Pace pace(rate);
    for (int k = 0; k < 1000; ++k) pace.note(piece);
    pace.note_left(0);
    EXPECT_TRUE(pace.has_at_most(0)) << rate;
  }
}

}  // namespace
}  // namespace espalier
