// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/epochs.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace espalier {
namespace {

TEST(Epochs, are_oldest_while_no_run_of_an_earlier_one_is_under_way) {
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

TEST(Epochs, end_with_the_last_of_their_runs) {
  Epochs epochs;
  for (int k = 0; k < 2; ++k) epochs.enter(1);
  epochs.leave(1);
  EXPECT_FALSE(epochs.is_oldest(2));
  epochs.leave(1);
  EXPECT_TRUE(epochs.is_oldest(2));
  EXPECT_TRUE(epochs.empty());
}

TEST(Epochs, may_be_many_at_once) {
  Epochs epochs;
  for (const int number : {1, 1, 2, 5}) epochs.enter(static_cast<std::uint64_t>(number));
  epochs.leave(5);
  EXPECT_FALSE(epochs.is_oldest(2));
  epochs.enter(6);
  epochs.leave(1);
  epochs.leave(1);
  EXPECT_TRUE(epochs.is_oldest(2));
  EXPECT_FALSE(epochs.is_oldest(6));
  epochs.leave(2);
  EXPECT_TRUE(epochs.is_oldest(6));
  EXPECT_FALSE(epochs.empty());
  epochs.leave(6);
  EXPECT_TRUE(epochs.empty());
}

TEST(Epochs, are_left_by_any_thread_while_others_begin) {
  constexpr std::uint64_t rounds = 20000;
  Epochs epochs;
  std::atomic<std::uint64_t> entered{0};
  std::thread leaves([&] {
    for (std::uint64_t run = 0; run < rounds; ++run) {
      while (entered.load() <= run) std::this_thread::yield();
      EXPECT_TRUE(epochs.is_oldest(run / 3));
      epochs.leave(run / 3);
    }
  });
  for (std::uint64_t run = 0; run < rounds; ++run) {
    epochs.enter(run / 3);
    entered = run + 1;
  }
  leaves.join();
  EXPECT_TRUE(epochs.empty());
}

}  // namespace
}  // namespace espalier
