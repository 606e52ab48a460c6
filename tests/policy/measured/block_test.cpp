// SPDX-License-Identifier: Apache-2.0
#include "policy/measured/block.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace espalier::block_test {
namespace {

// Of one rank each.
Block block_of(double state, double first_time) {
  Block block;
  block.start(10, 2, 3);
  block.note(12, first_time);
  block.numbers.set({.state = CommonNumber::of(state), .learnt = CommonNumber::of(7), .overhead = .5});
  return block;
}

// What the first of two ranks has when they have summed.
Block summed(Block one, Block other) {
  for (std::size_t i = 0; i < one.numbers.all().size(); ++i) one.numbers.all()[i] += other.numbers.all()[i];
  return one;
}

TEST(Block, has_the_calls_that_are_not_timed_first) {
  const Block block = block_of(1, 1);
  EXPECT_EQ(block.timed_begin, 12u);
  EXPECT_EQ(block.end, 15u);
  EXPECT_FALSE(block.is_over(14));
  EXPECT_TRUE(block.is_over(15));
}

TEST(Block, takes_no_note_of_calls_that_are_not_timed) {
  Block block;
  block.start(10, 2, 3);
  block.note(11, 1);
  block.note(12 + 1000, 1);
  for (const double time : block.numbers.times()) EXPECT_FALSE(BlockNumbers::is_known(time));
}

TEST(Block, gives_a_wait_to_the_timed_calls_that_it_belongs_to) {
  Block block;
  block.start(0, 0, 4);
  for (const std::uint64_t call : {0, 1, 3}) block.note(call, 1);
  block.add_to_times(1, 3, .5);
  EXPECT_EQ(block.numbers.times()[0], 1);
  EXPECT_EQ(block.numbers.times()[1], 1.5);
  EXPECT_FALSE(BlockNumbers::is_known(block.numbers.times()[2]));
  EXPECT_EQ(block.numbers.times()[3], 1);
}

void note_all(Block& block, std::uint64_t first, std::vector<double> seconds) {
  for (const double each : seconds) block.note(first++, each);
}

TEST(Block, has_a_time_for_each_run_of_calls_without_the_first) {
  Block block;
  block.start(10, 2, 2, 4);
  EXPECT_EQ(block.timed_begin, 18u);
  EXPECT_EQ(block.end, 26u);
  note_all(block, 18, {9, 1, 2, 3, 1, 4, 5, 6});
  EXPECT_EQ(block.numbers.times()[0], 2);
  EXPECT_EQ(block.numbers.times()[1], 5);
  EXPECT_EQ(block.take_first_calls(), 7);
  EXPECT_EQ(block.take_first_calls(), 0);
}

TEST(Block, knows_nothing_of_a_run_with_calls_that_nobody_timed) {
  Block block;
  block.start(0, 0, 2, 4);
  note_all(block, 0, {1, 1, 1});
  note_all(block, 5, {2, 2, 2});
  EXPECT_FALSE(BlockNumbers::is_known(block.numbers.times()[0]));
  EXPECT_EQ(block.numbers.times()[1], 2);
}

TEST(BlockNumbers, say_whether_all_ranks_have_a_number_in_common) {
  EXPECT_TRUE(summed(block_of(3, 1), block_of(3, 1)).numbers.head().state.is_common(2));
  EXPECT_FALSE(summed(block_of(3, 1), block_of(4, 1)).numbers.head().state.is_common(2));
  EXPECT_TRUE(summed(block_of(3, 1), block_of(4, 1)).numbers.head().learnt.is_common(2));
}

TEST(BlockNumbers, of_a_time_that_a_rank_does_not_know_the_mean_is_0) {
  Block block = summed(block_of(3, 1), block_of(3, 2));
  block.numbers.take_means(2);
  EXPECT_EQ(block.numbers.times()[0], 1.5);
  EXPECT_EQ(block.numbers.times()[1], 0);
  EXPECT_EQ(block.numbers.head().overhead, .5);
}

TEST(BlockNumbers, of_a_meeting_are_as_many_and_say_the_state_alone) {
  Block block = block_of(3, 1);
  BlockNumbers meeting;
  meeting.begin_like(block.numbers);
  meeting.set_state_alone(5);
  EXPECT_EQ(meeting.all().size(), block.numbers.all().size());
  EXPECT_EQ(meeting.head().state.sum, 5);
  EXPECT_EQ(meeting.head().learnt.sum, 0);
  for (const double time : meeting.times()) EXPECT_EQ(time, 0);
}

}  // namespace
}  // namespace espalier::block_test
