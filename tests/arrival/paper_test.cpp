// SPDX-License-Identifier: Apache-2.0
// Paper 4's benchmark (a) in simulated time, next to what was measured there.
#include <gtest/gtest.h>

#include <tuple>

#include "arrival/largest_effect.hpp"

namespace espalier::arrival {

namespace {

// Within 5%.
void expect_like(double simulated, double paper) { EXPECT_NEAR(simulated / paper, 1, .05); }

}  // namespace

TEST(LargestEffect, is_the_one_that_the_paper_tells_of) {
  const auto& [one_byte, mebibyte, eight] = std::tie(paper::rows[0], paper::rows[5], paper::rows[6]);
  const paper::Measured long_delay = play_largest_effect(eight, 4).overall;  // 390.8 / 227.9 / 219.7 ms
  expect_like(long_delay.original, 390.8);
  expect_like(long_delay.optimised, 227.9);
  expect_like(long_delay.ideal, 219.7);
  const paper::Measured shorter = play_largest_effect(mebibyte, 3).overall;
  expect_like(shorter.original, 48.18);
  expect_like(shorter.optimised, 28.27);
  const paper::Measured waiting = play_largest_effect(one_byte, 4).mean;
  expect_like(waiting.original, 88.71);
  expect_like(waiting.optimised, 5.350);
  expect_like(waiting.ideal, .2239);
}

// Where the load can be distinguished from what the broadcast itself varies by: shares of the time without exchanges.
TEST(LargestEffect, is_as_in_the_papers_tables) {
  for (const paper::Row& row : paper::rows) {
    for (const std::size_t load : {3U, 4U}) {
      SCOPED_TRACE(row.size);
      const LargestEffect played = play_largest_effect(row, load);
      const auto compare = [](const paper::Measured& simulated, const paper::Measured& measured) {
        EXPECT_NEAR(simulated.optimised / simulated.original, measured.optimised / measured.original, .035);
        EXPECT_NEAR(simulated.ideal / simulated.original, measured.ideal / measured.original, .035);
      };
      compare(played.overall, row.overall[load]);
      compare(played.mean, row.mean[load]);
    }
  }
}

// It looks at three broadcasts.
TEST(LargestEffect, is_found_sooner_by_order) {
  for (const paper::Row& row : paper::rows) {
    const LargestEffect played = play_largest_effect(row, 4);
    EXPECT_LT(played.ordered_overall, played.overall.optimised) << row.size;
    EXPECT_LT(played.ordered_mean, played.mean.optimised) << row.size;
  }
}

}  // namespace espalier::arrival
