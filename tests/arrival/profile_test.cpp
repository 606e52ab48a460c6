// SPDX-License-Identifier: Apache-2.0
#include "arrival/profile.hpp"

#include <gtest/gtest.h>

namespace espalier::arrival {

namespace {

// After a broadcast, in which the rank waited so long: what is reported.
std::optional<double> news(Profile& profile, double waited) {
  profile.note(waited);
  return profile.news();
}

}  // namespace

TEST(Profile, tells_what_has_changed_by_half) {
  Profile profile({.weight = 1});
  EXPECT_EQ(news(profile, 8), 8);
  EXPECT_EQ(news(profile, 8), std::nullopt);
  EXPECT_EQ(news(profile, 4), std::nullopt);  // (8 + 4) / 2
  EXPECT_EQ(news(profile, 2), 4);             // (6 + 2) / 2: half of what was told
}

TEST(Profile, a_heavier_past_changes_later) {
  Profile profile({.weight = 3});
  EXPECT_EQ(news(profile, 8), 8);
  EXPECT_EQ(news(profile, 0), std::nullopt);  // 7
  EXPECT_EQ(news(profile, 24), std::nullopt);
}

TEST(Profile, nobody_tells_that_it_does_not_wait) {
  Profile profile({});
  EXPECT_EQ(news(profile, 0), std::nullopt);
}

TEST(Profile, three_that_are_about_equal_take_the_mean) {
  Profile profile({.smoothing = Smoothing::three_in_a_row});
  EXPECT_EQ(news(profile, 1), 1);
  EXPECT_DOUBLE_EQ(news(profile, 9.6).value(), 5.3);
  EXPECT_EQ(news(profile, 10), std::nullopt);
  EXPECT_DOUBLE_EQ(news(profile, 9.8).value(), 9.8);
  EXPECT_DOUBLE_EQ(news(profile, 30).value(), 19.9);
}

TEST(Profile, three_that_differ_count_as_they_do_elsewhere) {
  Profile profile({.smoothing = Smoothing::three_in_a_row});
  double reported = news(profile, 1).value();
  for (int call = 0; call < 1000; ++call) reported = news(profile, call % 2 == 0 ? 10 : 12).value_or(reported);
  EXPECT_GT(reported, 7);
}

}  // namespace espalier::arrival
