// SPDX-License-Identifier: Apache-2.0
#include "tuning/kin.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace espalier::tuning {

namespace {

const Estimate native{.log_seconds = -9, .sd = .1}, own{.log_seconds = -9.2, .sd = .5};

TEST(Kin, without_any_a_candidate_enters_as_it_would) {
  const Estimate expected = expect_by_kin(own, native, {});
  EXPECT_DOUBLE_EQ(expected.log_seconds, own.log_seconds);
  EXPECT_DOUBLE_EQ(expected.sd, own.sd);
}

TEST(Kin, what_was_slow_at_other_sizes_is_expected_to_be_slow) {
  const std::vector<KinTiming> kin{{.log2_size = -3, .log_ratio = 2, .sd = .1}};
  const Estimate expected = expect_by_kin(own, native, kin);
  EXPECT_GT(expected.log_seconds, native.log_seconds + .5);
  EXPECT_LT(expected.sd, own.sd);
}

TEST(Kin, the_farther_away_the_less_it_tells) {
  double before = 10;
  for (const double distance : {1., 3., 8., 20.}) {
    const std::vector<KinTiming> kin{{.log2_size = distance, .log_ratio = 2, .sd = .1}};
    const double now = expect_by_kin(own, native, kin).log_seconds;
    EXPECT_LT(now, before);
    before = now;
  }
}

TEST(Kin, of_each_side_the_nearest_counts) {
  const std::vector<KinTiming> nearest{{-2, .3, .1}, {2, .5, .1}};
  std::vector<KinTiming> all = nearest;
  all.insert(all.begin(), {-9, -3, .1});
  all.push_back({12, 3, .1});
  const Estimate of_nearest = expect_by_kin(own, native, nearest), of_all = expect_by_kin(own, native, all);
  EXPECT_DOUBLE_EQ(of_nearest.log_seconds, of_all.log_seconds);
  EXPECT_DOUBLE_EQ(of_nearest.sd, of_all.sd);
}

}  // namespace

}  // namespace espalier::tuning
