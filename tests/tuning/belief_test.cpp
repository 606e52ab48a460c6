// SPDX-License-Identifier: Apache-2.0
#include "tuning/belief.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace espalier::tuning {

namespace {

constexpr double noise = .01;
constexpr std::array<Estimate, 3> three_estimates = {{{3.0, .25}, {3.5, .25}, {2.0, .25}}};

void time(Belief& belief, int a, double log_seconds) {
  belief.learn(a, log_seconds - belief.log_time(a), belief.variance(a) + noise);
}

TEST(Belief, starts_with_the_ratios_of_the_estimates) {
  const Belief belief(three_estimates);
  EXPECT_DOUBLE_EQ(belief.log_ratio(1, 0), .5);
  EXPECT_DOUBLE_EQ(belief.log_ratio(2, 1), -1.5);
  EXPECT_DOUBLE_EQ(belief.variance_of_ratio(2, 1), .125);
}

TEST(Belief, timings_of_both_tell_their_ratio) {
  Belief belief(three_estimates);
  for (int i = 0; i < 50; ++i) {
    time(belief, 0, -7);
    time(belief, 1, -7.3);
  }
  EXPECT_NEAR(belief.log_ratio(1, 0), -.3, .01);
  EXPECT_NEAR(belief.log_time(0), -7, .01);
  EXPECT_LT(belief.variance_of_ratio(1, 0), .001);
}

TEST(Belief, what_all_have_in_common_says_nothing_of_their_ratios) {
  Belief belief(three_estimates);
  for (int i = 0; i < 50; ++i) time(belief, 0, -7);
  belief.widen_level(1);
  time(belief, 0, -6);
  EXPECT_NEAR(belief.log_time(0), -6, .1);
  EXPECT_NEAR(belief.log_ratio(1, 0), .5, .05);
}

TEST(Belief, a_timing_that_counts_for_nothing_changes_nothing) {
  Belief belief(three_estimates);
  time(belief, 0, -7);
  const double before = belief.log_ratio(1, 0), variance = belief.variance_of_ratio(1, 0);
  belief.learn(1, 2, belief.variance(1) + noise, 0);
  EXPECT_EQ(belief.log_ratio(1, 0), before);
  EXPECT_EQ(belief.variance_of_ratio(1, 0), variance);
}

TEST(Belief, reduction_is_what_expecting_a_timing_takes_off_the_variance) {
  Belief belief(three_estimates);
  time(belief, 0, -7);
  const double before = belief.variance_of_ratio(2, 0), reduced = belief.reduction(2, 2, 0, noise);
  belief.expect(2, noise);
  EXPECT_NEAR(belief.variance_of_ratio(2, 0), before - reduced, 1e-12);
}

TEST(Belief, excess_is_careful_by_a_number_of_standard_deviations) {
  const Belief belief(three_estimates);
  EXPECT_NEAR(belief.excess(1, 0, 0), std::exp(.5) - 1, 1e-9);
  EXPECT_NEAR(belief.excess(1, 0, 2), std::exp(.5 + 2 * std::sqrt(.125)) - 1, 1e-9);
}

}  // namespace

}  // namespace espalier::tuning
