// SPDX-License-Identifier: Apache-2.0
#include "mpi/tools/shown_numbers.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(ShownNumbers, are_the_mpis_until_somebody_is_told_of_ours) {
  const ShownNumbers numbers(3);
  EXPECT_LT(numbers.own(7), 0);
  EXPECT_EQ(numbers.native(7), 7);
  EXPECT_EQ(numbers.shown(7), 7);
}

TEST(ShownNumbers, never_change_when_the_mpi_has_more) {
  ShownNumbers numbers(3);
  EXPECT_EQ(numbers.count(10), 13);
  EXPECT_EQ(numbers.count(12), 15);
  EXPECT_EQ(numbers.own(9), -1);
  EXPECT_EQ(numbers.own(10), 0);
  EXPECT_EQ(numbers.own(12), 2);
  EXPECT_EQ(numbers.own(13), -1);
  EXPECT_EQ(numbers.shown_own(2), 12);
  for (int native = 0; native < 12; ++native) EXPECT_EQ(numbers.native(numbers.shown(native)), native);
  EXPECT_EQ(numbers.shown(9), 9);
  EXPECT_EQ(numbers.shown(10), 13);
}

}  // namespace
}  // namespace espalier
