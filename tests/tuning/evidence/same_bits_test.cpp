// SPDX-License-Identifier: Apache-2.0
#include "tuning/evidence/same_bits.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace espalier::tuning {

namespace {

TEST(SameBits, exp_and_log_are_right_to_the_last_digits) {
  for (double x = -40; x < 40; x += .37) {
    EXPECT_NEAR(exp_of(x) / std::exp(x), 1, 1e-14) << x;
    EXPECT_NEAR(log_of(std::exp(x)), x, 1e-13) << x;
  }
}

// Whatever computed them first: other machines must arrive at the same.
TEST(SameBits, results_have_the_bits_that_they_had_elsewhere) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(exp_of(1)), 0x4005bf0a8b14576a);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(exp_of(-.1)), 0x3fecf46d99d52b3a);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(log_of(3)), 0x3ff193ea7aad030b);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(log_of(1e-6)), 0xc02ba18a998fffa0);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(mean_excess(.7)), 0x3fc24b119772da88);
}

TEST(SameBits, mean_excess_is_that_of_the_normal_distribution) {
  for (double u = -9; u < 7; u += .113) {
    const double tail = std::erfc(u / std::sqrt(2.0)) / 2;
    EXPECT_NEAR(mean_excess(u) / (density(u) - u * tail), 1, .01) << u;
  }
  EXPECT_EQ(mean_excess(9), 0);
}

}  // namespace

}  // namespace espalier::tuning
