// SPDX-License-Identifier: Apache-2.0
#include "policy/measured/sampled_times.hpp"

#include <gtest/gtest.h>

namespace espalier::sampled_times_test {
namespace {

SampledTimes noted(int first, int last) {
  SampledTimes times;
  for (int i = first; i <= last; ++i) times.note(i);
  return times;
}

TEST(SampledTimes, has_the_quartiles_of_a_few) {
  const SampledTimes times = noted(1, 4);
  const auto [low, median, high] = times.quartiles();
  EXPECT_EQ(times.count(), 4u);
  EXPECT_EQ(low, 2);
  EXPECT_EQ(median, 3);
  EXPECT_EQ(high, 4);
  EXPECT_EQ(noted(7, 7).quartiles().median, 7);
}

TEST(SampledTimes, of_many_are_from_all_of_the_job) {
  for (const int count : {16, 17, 100, 1000, 12345}) {
    const auto [low, median, high] = noted(1, count).quartiles();
    EXPECT_NEAR(low, .25 * count, .13 * count) << count;
    EXPECT_NEAR(median, .5 * count, .13 * count) << count;
    EXPECT_NEAR(high, .75 * count, .13 * count) << count;
  }
}

TEST(SampledTimes, do_not_mind_spikes) {
  SampledTimes times = noted(100, 110);
  times.note(1e6);
  EXPECT_LT(times.quartiles().high, 111);
}

}  // namespace
}  // namespace espalier::sampled_times_test
