// SPDX-License-Identifier: Apache-2.0
#include "select/growth.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace espalier {

namespace {

TEST(Growth, by_the_logarithm_goes_on_by_it) {
  const std::array<double, 3> seconds{2, 3, 4};
  EXPECT_NEAR(grown(seconds, 256), 12, 1e-9);
}

TEST(Growth, in_proportion_goes_on_so) {
  const std::array<double, 3> seconds{3, 7, 15};
  EXPECT_NEAR(grown(seconds, 256), 4095, 1e-6);
}

TEST(Growth, between_the_two_lies_between_them) {
  const std::array<double, 3> seconds{2, 3, 4.5};
  EXPECT_GT(grown(seconds, 16), 4.5 + 4 * 1.5);
  EXPECT_LT(grown(seconds, 16), 16 * 4.5);
}

TEST(Growth, what_does_not_grow_stays) {
  EXPECT_DOUBLE_EQ(grown(std::array<double, 3>{5, 5, 5}, 100), 5);
  EXPECT_DOUBLE_EQ(grown(std::array<double, 3>{5, 5, 4}, 100), 4);
}

TEST(Growth, parts_of_a_doubling_count_in_part) {
  const std::array<double, 3> seconds{3, 7, 15};
  EXPECT_NEAR(grown(seconds, 1.5), 23, 1e-9);
  EXPECT_DOUBLE_EQ(grown(seconds, 1), 15);
}

}  // namespace

}  // namespace espalier
