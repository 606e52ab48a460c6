// SPDX-License-Identifier: Apache-2.0
#include "tuning/learner.hpp"

#include <gtest/gtest.h>

namespace espalier::tuning {
namespace {

constexpr double said_sd = .23;

// Candidate 0 ran, and then others for the first time, off from their estimates by such logs.
double variance_of_the_last(std::initializer_list<double> errors) {
  const std::vector<Estimate> estimates(8, {0, said_sd});
  Learner learner(estimates, 0, {});
  const Timing of_native{};
  learner.set_level(std::span(&of_native, 1));
  learner.learn(of_native, 0);
  int candidate = 1;
  for (const double error : errors) learner.learn({.candidate = candidate++, .log_seconds = error}, 0);
  return learner.belief.own_variance(7);
}

TEST(Learner, estimates_that_turn_out_wrong_make_the_others_less_sure) {
  EXPECT_GT(variance_of_the_last({.7, -.6, .8}), 1.5 * said_sd * said_sd);
}

TEST(Learner, estimates_that_turn_out_right_make_the_others_surer) {
  EXPECT_LT(variance_of_the_last({.02, -.05, .03}), .8 * said_sd * said_sd);
}

TEST(Learner, a_blunder_says_little_of_the_others) {
  EXPECT_NEAR(variance_of_the_last({3.5}), said_sd * said_sd, .3 * said_sd * said_sd);
}

}  // namespace
}  // namespace espalier::tuning
