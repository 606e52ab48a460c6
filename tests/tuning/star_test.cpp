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

}  // namespace

}  // namespace espalier::tuning
