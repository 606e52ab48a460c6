// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/epochs.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Epochs, AreOldestWhileNoRunOfAnEarlierOneIsUnderWay) {
  Epochs epochs;
  EXPECT_TRUE(epochs.empty());
  EXPECT_TRUE(epochs.is_oldest(5));
  epochs.enter(3);
  epochs.enter(4);
  EXPECT_TRUE(epochs.is_oldest(3));
  EXPECT_FALSE(epochs.is_oldest(4));
  epochs.leave(3);
  EXPECT_TRUE(epochs.is_oldest(4));
}

TEST(Epochs, EndWithTheLastOfTheirRuns) {
  Epochs epochs;
  for (int k = 0; k < 2; ++k) epochs.enter(1);
  epochs.leave(1);
  EXPECT_FALSE(epochs.is_oldest(2));
  epochs.leave(1);
  EXPECT_TRUE(epochs.is_oldest(2));
  EXPECT_TRUE(epochs.empty());
}

}  // namespace
}  // namespace espalier
