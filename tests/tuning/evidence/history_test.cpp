// SPDX-License-Identifier: Apache-2.0
#include "tuning/evidence/history.hpp"

#include <gtest/gtest.h>

#include "tuning/normal.hpp"

namespace espalier::tuning {

namespace {

TEST(History, first_calls_that_take_longer_than_the_next_ones_are_seen) {
  History history(3);
  for (const int a : {0, 1}) {
    for (const double log : {1.6, 0.0, .1}) history.note({a, log});
  }
  history.note({2, 9});  // once: it tells nothing
  EXPECT_NEAR(history.first_call_excess(), 3.95, .01);
}

TEST(History, first_calls_like_the_others_are_none) {
  History history(2);
  for (const int a : {0, 1, 0, 1}) history.note({a, .1 * a});
  EXPECT_EQ(history.first_call_excess(), 0);
}

TEST(History, a_pattern_is_found_whichever_runs) {
  Normal normal(1);
  History history(3);
  const double pattern[] = {0, .6, .6, 0, 0};
  for (int call = 0; call < 100; ++call) {
    const int a = static_cast<int>(normal.share() * 3);
    history.note({a, -.3 * a + pattern[call % 5] + .08 * normal()});
  }
  const std::vector<double> found = history.pattern();
  ASSERT_EQ(found.size(), 5U);
  for (std::size_t phase = 0; phase < 5; ++phase) EXPECT_NEAR(found[phase], pattern[phase], .12) << phase;
}

TEST(History, noise_and_spikes_are_no_pattern) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Normal normal(seed);
    History history(3);
    for (int call = 0; call < 60; ++call) {
      history.note({call % 3, .08 * normal() + (normal.share() < .1 ? normal.share() : 0)});
    }
    EXPECT_TRUE(history.pattern().empty()) << seed;
  }
}

TEST(History, keeps_a_bounded_number) {
  History history(1);
  for (int call = 0; call < 10000; ++call) history.note({0, 0});
  EXPECT_TRUE(history.is_full());
  EXPECT_EQ(history.timings().size(), 512U);
}

}  // namespace

}  // namespace espalier::tuning
