// SPDX-License-Identifier: Apache-2.0
#include "arrival/trial.hpp"

#include <gtest/gtest.h>

namespace espalier::arrival {

namespace {

// What the model says of each call as the ranks were arranged before.
Wave modelled() {
  Wave wave;
  wave.overall = 10;
  wave.mean = 5;
  return wave;
}

// Calls before the trial take twice what the model says; those in it `times` times as long.
bool fails(double times, double first_time) {
  ArrangementTrial trial;
  for (int call = 0; call < 4; ++call) EXPECT_FALSE(trial.note({20, 10}, modelled()));
  trial.begin();
  EXPECT_FALSE(trial.note({20 * first_time, 10 * first_time}, modelled()));
  for (int call = 0; call < 3; ++call) EXPECT_FALSE(trial.note({20 * times, 10 * times}, modelled()));
  return trial.note({20 * times, 10 * times}, modelled());
}

}  // namespace

TEST(ArrangementTrial, is_lost_where_calls_take_longer_than_before) {
  EXPECT_TRUE(fails(1.1, 1));
  EXPECT_FALSE(fails(.9, 1));
  EXPECT_FALSE(fails(1.02, 1));  // noise
  EXPECT_FALSE(fails(1, 50));    // connections were made
}

TEST(ArrangementTrial, is_not_held_where_little_is_known_of_calls_before) {
  ArrangementTrial trial;
  for (int call = 0; call < 2; ++call) EXPECT_FALSE(trial.note({20, 10}, modelled()));
  trial.begin();
  for (int call = 0; call < 20; ++call) EXPECT_FALSE(trial.note({40, 20}, modelled()));
}

TEST(ArrangementTrial, one_call_that_takes_very_long_decides_nothing) {
  ArrangementTrial trial;
  for (int call = 0; call < 3; ++call) EXPECT_FALSE(trial.note({20, 10}, modelled()));
  trial.begin();
  for (const double seconds : {20.0, 18.0, 1000.0, 18.0, 18.0})
    EXPECT_FALSE(trial.note({seconds, seconds / 2}, modelled()));
}

}  // namespace espalier::arrival
