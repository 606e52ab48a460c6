// SPDX-License-Identifier: Apache-2.0
#include "tuning/in_turn.hpp"

#include <gtest/gtest.h>

#include "tuning/context.hpp"

namespace espalier::tuning {

namespace {

constexpr double seconds_of[] = {2, 1, 3};

TEST(InTurn, each_candidate_runs_so_often_and_then_the_fastest) {
  InTurn tuner(3, rounds_of_adcl);
  Context context(tuner, [](int a, int) { return seconds_of[a]; });
  context.run_until(200);
  EXPECT_EQ(context.times(0), 30);
  EXPECT_EQ(context.times(2), 30);
  EXPECT_EQ(context.times(1), 140);
  EXPECT_TRUE(tuner.plan().permanently);
}

TEST(InTurn, calls_that_warm_up_do_not_count) {
  InTurn tuner(3, rounds_of_intel);
  Context context(tuner, [](int a, int call) { return call == 2 ? 50 : seconds_of[a]; });
  context.run_until(10);
  EXPECT_EQ(tuner.plan().incumbent, 1);
}

TEST(InTurn, outliers_are_left_out_where_that_is_the_rule) {
  const auto seconds = [](int a, int call) { return call % 10 == 7 ? 40 : seconds_of[a]; };
  InTurn with(3, {0, 5, Statistic::mean}), without(3, {0, 5, Statistic::mean_without_outliers});
  Context(with, seconds).run_until(16);
  Context(without, seconds).run_until(16);
  EXPECT_EQ(with.plan().incumbent, 0);
  EXPECT_EQ(without.plan().incumbent, 1);
}

}  // namespace

}  // namespace espalier::tuning
