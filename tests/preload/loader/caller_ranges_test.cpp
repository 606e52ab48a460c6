// SPDX-License-Identifier: Apache-2.0
#include "preload/loader/caller_ranges.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

// Tables are static here as they are in the preload: their snapshots are never given back.
namespace espalier {
namespace {

const void* address(std::uintptr_t value) { return reinterpret_cast<const void*>(value); }

CallerRange numbered(int number) {
  const std::uintptr_t first = 0x10000 * static_cast<std::uintptr_t>(number + 1);
  return {first, first + 0x1000, {static_cast<std::int16_t>(number), number % 2 == 1}};
}

TEST(CallerRanges, finds_nothing_when_empty) {
  static const CallerRanges ranges;
  EXPECT_EQ(ranges.find(address(0)), nullptr);
  EXPECT_EQ(ranges.find(address(0x1234)), nullptr);
}

TEST(CallerRanges, finds_first_and_last_byte_of_a_range_and_none_next_to_it) {
  static CallerRanges ranges;
  ranges.add(numbered(0));
  ranges.add(numbered(1));
  EXPECT_EQ(ranges.find(address(0xffff)), nullptr);
  EXPECT_EQ(ranges.find(address(0x10000))->caller.mpi, 0);
  EXPECT_EQ(ranges.find(address(0x10fff))->caller.mpi, 0);
  EXPECT_EQ(ranges.find(address(0x11000)), nullptr);
  EXPECT_TRUE(ranges.find(address(0x20000))->caller.internal);
  EXPECT_EQ(ranges.find(address(UINTPTR_MAX)), nullptr);
}

TEST(CallerRanges, finds_every_range_whatever_the_order_in_which_they_came) {
  static CallerRanges ranges;
  constexpr int count = 100;
  for (int i = 0; i < count; ++i) {
    ranges.add(numbered(i * 37 % count));
    for (int j = 0; j <= i; ++j)
      ASSERT_EQ(ranges.find(address(0x10008 + 0x10000 * (j * 37 % count)))->caller.mpi, j * 37 % count);
  }
}

TEST(CallerRanges, keeps_the_first_of_two_that_are_the_same) {
  static CallerRanges ranges;
  ranges.add(numbered(3));
  const CallerRange* first = ranges.find(address(0x40000));
  ranges.add(numbered(3));
  EXPECT_EQ(ranges.find(address(0x40000)), first);
}

TEST(CallerRanges, takes_no_more_than_its_limit) {
  static CallerRanges ranges;
  constexpr int limit = CallerRanges::max_ranges;
  for (int i = 0; i < limit + 5; ++i) ranges.add(numbered(i));
  EXPECT_NE(ranges.find(address(0x10000 * limit)), nullptr);
  EXPECT_EQ(ranges.find(address(0x10000 * (limit + 1))), nullptr);
}

TEST(CallerRanges, readers_see_whole_snapshots_while_writers_add) {
  static CallerRanges ranges;
  ranges.add(numbered(0));
  constexpr int per_writer = 50;
  std::atomic<int> writers_left = 2;
  std::atomic<int> wrong = 0;
  const auto write = [&](int offset) {
    for (int i = 1; i <= per_writer; ++i) ranges.add(numbered(2 * i + offset));
    --writers_left;
  };
  const auto read = [&] {
    while (writers_left > 0) {
      for (int i = 0; i <= 2 * per_writer + 1; ++i) {
        const CallerRange* found = ranges.find(address(0x10000 * static_cast<std::uintptr_t>(i + 1)));
        if (found ? found->caller.mpi != i : i == 0) ++wrong;
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back(read);
  for (int i = 0; i < 2; ++i) threads.emplace_back(write, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace espalier
