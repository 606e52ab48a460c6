// SPDX-License-Identifier: Apache-2.0
#include "tuning/evidence/change.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tuning/normal.hpp"

namespace espalier::tuning {

namespace {

constexpr double level = -7, noise_sd = .08;

class Watch {
 public:
  explicit Watch(std::uint64_t seed) : normal_(seed) { detector_.watch(1); }

  // Calls until an alarm, at most this many; `shift` is added to the logs, and spikes to some.
  int alarm_after(int calls, double shift, double spike_share) {
    for (int call = 1; call <= calls; ++call) {
      const double spike = normal_.share() < spike_share ? .7 + normal_.share() : 0;
      shift_ = detector_.note(level + shift + spike + noise_sd * normal_(), level, noise_sd);
      if (shift_ != 0) return call;
    }
    return 0;
  }
  [[nodiscard]] double shift() const { return shift_; }

 private:
  ChangeDetector detector_{Assumptions{}};
  Normal normal_;
  double shift_ = 0;
};

TEST(ChangeDetector, a_slowdown_by_a_fifth_is_noticed_within_20_calls) {
  std::vector<int> delays;
  for (std::uint64_t seed = 0; seed < 101; ++seed) {
    Watch watch(seed);
    ASSERT_EQ(watch.alarm_after(300, 0, .02), 0);
    delays.push_back(watch.alarm_after(200, std::log(1.2), .02));
    EXPECT_GT(delays.back(), 0);
  }
  std::ranges::sort(delays);
  EXPECT_LE(delays[50], 20);
}

TEST(ChangeDetector, a_million_calls_raise_no_alarm) {
  Watch watch(17);
  EXPECT_EQ(watch.alarm_after(1'000'000, 0, .02), 0);
}

TEST(ChangeDetector, a_single_spike_raises_none) {
  Watch watch(3);
  ASSERT_EQ(watch.alarm_after(100, 0, 0), 0);
  EXPECT_EQ(watch.alarm_after(1, 5, 0), 0);
  EXPECT_EQ(watch.alarm_after(100, 0, 0), 0);
}

TEST(ChangeDetector, tells_about_how_much_it_is) {
  Watch watch(5);
  ASSERT_EQ(watch.alarm_after(300, 0, 0), 0);
  ASSERT_GT(watch.alarm_after(100, .4, 0), 0);
  EXPECT_NEAR(watch.shift(), .4, .15);
}

}  // namespace

}  // namespace espalier::tuning
