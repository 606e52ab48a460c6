// SPDX-License-Identifier: Apache-2.0
#include "tuning/star.hpp"

#include <gtest/gtest.h>

#include "tuning/context.hpp"

namespace espalier::tuning {

namespace {

TEST(Star, learns_by_ten_timings_each_and_then_runs_the_winner) {
  Star star(3);
  Context context(star, [](int a, int) { return a == 2 ? 1.0 : 2.0; });
  context.run_until(30);
  EXPECT_EQ(context.times(0), 10);
  EXPECT_EQ(context.times(1), 10);
  context.run_until(1000);
  EXPECT_EQ(context.times(0), 10);
  EXPECT_EQ(star.plan().incumbent, 2);
}

TEST(Star, looks_after_the_winner_more_and_more_rarely) {
  Star star(2);
  Context context(star, [](int, int) { return 1.0; });
  std::vector<std::size_t> periods;
  for (int block = 0; block < 12; ++block) {
    context.run_block();
    periods.push_back(star.plan().calls.size());
  }
  EXPECT_EQ(periods, (std::vector<std::size_t>{10, 32, 64, 128, 256, 512, 1024, 2048, 2048, 2048, 2048, 2048}));
}

TEST(Star, learns_again_once_the_winner_is_slower_twice_in_a_row) {
  Star star(2);
  Context context(star, [](int a, int call) { return a == 1 ? (call < 52 ? 1.0 : 3.0) : 2.0; });
  context.run_until(52 + 64 + 1);
  EXPECT_EQ(star.plan().incumbent, 1);
  context.run_until(52 + 64 + 64 + 20);
  EXPECT_EQ(star.plan().incumbent, 0);
}

// Half as long again, and still faster than the other one.
TEST(Star, stays_with_the_winner_as_long_as_it_is_no_slower_than_the_second_best_was) {
  Star star(2);
  Context context(star, [](int a, int call) { return a == 1 ? (call < 52 ? 1.0 : 1.5) : 2.0; });
  context.run_until(2000);
  EXPECT_EQ(context.times(0), 10);
}

TEST(Star, compared_with_the_winner_itself_learns_again_for_the_same) {
  Star star(2, plain_rounds_of_star, {.compared_with = ComparedWith::winner});
  Context context(star, [](int a, int call) { return a == 1 ? (call < 52 ? 1.0 : 1.5) : 2.0; });
  context.run_until(2000);
  EXPECT_EQ(context.times(0), 20);
  EXPECT_EQ(star.plan().incumbent, 1);
}

// Every second call is disturbed, more of the one than of the other.
TEST(Star, leaves_the_slower_half_of_the_timings_out) {
  const auto seconds = [](int a, int call) { return call % 2 == 1 ? (a == 1 ? 9.0 : 3.0) : (a == 1 ? 1.0 : 1.2); };
  Star star(2);
  Context context(star, seconds);
  context.run_until(30);
  EXPECT_EQ(star.plan().incumbent, 1);
  Star plain(2, plain_rounds_of_star);
  Context same(plain, seconds);
  same.run_until(30);
  EXPECT_EQ(plain.plan().incumbent, 0);
}

}  // namespace

}  // namespace espalier::tuning
