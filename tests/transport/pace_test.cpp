// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/pace.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

constexpr std::size_t piece = 65536;
constexpr double one_piece_an_hour = piece / 3600.0;

TEST(Pace, what_was_given_to_a_slow_nic_is_there_for_long) {
  Pace pace(one_piece_an_hour);
  EXPECT_TRUE(pace.has_at_most(0));
  pace.note(2 * piece);
  EXPECT_FALSE(pace.has_at_most(piece));
  EXPECT_TRUE(pace.has_at_most(2 * piece));
  pace.note(piece);
  EXPECT_FALSE(pace.has_at_most(2 * piece));
  EXPECT_TRUE(pace.has_at_most(3 * piece));
}

TEST(Pace, nothing_waits_for_a_nic_whose_rate_is_not_known) {
  Pace pace(0);
  pace.note(1000 * piece);
  EXPECT_TRUE(pace.has_at_most(0));
}

}  // namespace
}  // namespace espalier
