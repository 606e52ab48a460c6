// SPDX-License-Identifier: Apache-2.0
#include "schedule/builder.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace espalier {
namespace {

using Kind = Operation::Kind;
using Wait = Dependency::Kind;

bool depends(const Schedule& schedule, int later, std::uint32_t earlier, Wait kind, int shift = 0) {
  for (const Dependency& dependency : schedule.dependencies_of(schedule.operations[later])) {
    if (dependency == Dependency{earlier, shift, kind}) return true;
  }
  return false;
}

Builder builder(Collective collective, Rank size, Rank me, bool in_place = false) {
  return Builder({.contract = contract_of(collective), .shape = {size}, .me = me, .in_place = in_place});
}

Builder allreduce(bool in_place = false, Rank me = 1) { return builder(Collective::allreduce, 3, me, in_place); }

TEST(Builder, forwards_a_broadcast_from_the_output_buffer) {
  Builder b = builder(Collective::bcast, 3, 1);
  const Stream data = b.recv(0);
  b.send(2, data);
  b.output(data);
  const Schedule schedule = b.finish();

  ASSERT_EQ(schedule.operations.size(), 2U);
  EXPECT_TRUE(schedule.areas.empty());
  EXPECT_EQ(schedule.operations[0].target.buffer, Buffer::output);
  EXPECT_TRUE(depends(schedule, 1, 0, Wait::aligned));
}

TEST(Builder, accumulates_in_the_output_without_scratch_for_the_sum) {
  Builder b = allreduce();
  const Stream sum = b.reduce(b.input(), b.recv(0));
  b.output(sum);
  const Schedule schedule = b.finish();

  ASSERT_EQ(schedule.operations.size(), 2U);
  EXPECT_TRUE(schedule.areas.empty());  // received right where the sum will be
  EXPECT_EQ(schedule.operations[1].target.buffer, Buffer::output);
}

TEST(Builder, does_not_receive_over_an_input_that_is_still_needed) {
  Builder b = allreduce(true);
  const Stream sum = b.reduce(b.input(), b.recv(0));
  b.output(sum);
  const Schedule schedule = b.finish();

  EXPECT_EQ(schedule.operations[0].target.buffer, Buffer::scratch);
  EXPECT_EQ(schedule.areas.at(0).kind, Area::Kind::ring);
  EXPECT_TRUE(depends(schedule, 0, 1, Wait::lagged));  // the ring's slot must be free again
}

TEST(Builder, keeps_sends_in_step) {
  Builder b = allreduce(true);
  b.keep_in_step();
  b.send(0, b.input());
  b.send(2, b.input());
  b.keep_in_step();
  b.send(0, b.input());
  const Schedule schedule = b.finish();

  EXPECT_TRUE(depends(schedule, 0, 1, Wait::in_step));
  EXPECT_TRUE(depends(schedule, 1, 0, Wait::in_step));
  EXPECT_FALSE(depends(schedule, 0, 2, Wait::in_step));  // another group
  EXPECT_FALSE(depends(schedule, 2, 1, Wait::in_step));
}

TEST(Builder, sends_in_the_next_step_when_all_of_the_last_one_is_over) {
  Builder b = allreduce();
  b.send(0, b.input());
  b.output(b.recv(0));
  b.next_step();
  b.next_step();  // of which there is nothing
  b.send(2, b.input());
  const Schedule schedule = b.finish();

  EXPECT_TRUE(depends(schedule, 2, 0, Wait::whole));
  EXPECT_TRUE(depends(schedule, 2, 1, Wait::whole));
}

TEST(Builder, waits_for_signals_and_gives_them) {
  Builder b = allreduce();
  b.await(0);
  b.signal(2);
  b.await(2);
  b.send(0, b.input());
  const Schedule schedule = b.finish();

  ASSERT_EQ(schedule.operations.size(), 4U);
  for (const int signal : {0, 1, 2}) EXPECT_TRUE(schedule.operations[signal].is_signal());
  EXPECT_TRUE(depends(schedule, 1, 0, Wait::whole));
  EXPECT_TRUE(depends(schedule, 3, 1, Wait::whole));  // and so the first one has arrived
  EXPECT_TRUE(depends(schedule, 3, 2, Wait::whole));
  EXPECT_FALSE(schedule.operations[3].is_signal());
}

// Two ranks, of which each sums a block, which then comes to both.
TEST(Builder, goes_on_with_what_a_part_has_made) {
  Builder b = builder(Collective::allreduce, 2, 0);
  b.cut(2);
  const auto sum_own = [](Builder& part) {
    part.send(1, part.input({1, 1}));
    part.output(part.reduce(part.input({0, 1}), part.recv(1, {0, 1})));
  };
  const auto gather = [](Builder& part) {
    part.send(1, part.input());
    part.output(part.input());
    part.output(part.recv(1, {1, 1}));
  };
  const Bundle sum = b.perform(contract_of(Collective::reduce_scatter), sum_own, {b.input()});
  const Bundle all = b.perform(contract_of(Collective::allgather), gather, sum);
  b.output(all);
  EXPECT_EQ(all.front().labels, sum.front().labels);
  const Schedule schedule = b.finish();
  EXPECT_EQ(schedule.operations.size(), 5U);
  EXPECT_TRUE(schedule.areas.empty());
}

// Of a message that is cut by rounding, as of any other.
TEST(Builder, copies_together_what_is_sent_at_once_and_lies_apart) {
  Builder b = allreduce();
  b.cut(4);
  b.merge_streams();
  b.send(0, {b.input({3, 1}), b.input({0, 2})});
  const Schedule schedule = b.finish();
  const Operation& send = schedule.operations.back();
  EXPECT_TRUE(send.merged);
  EXPECT_EQ(send.source.buffer, Buffer::scratch);
  for (const int k : {0, 1, 2}) EXPECT_EQ(send.source.label.at(k), (k + 3) % 4);
}

// The walks that blocks were taken from go elsewhere.
TEST(Builder, joins_single_blocks_that_lie_one_after_the_other_whatever_they_are_part_of) {
  Builder b = allreduce();
  b.cut(5);
  const Stream some = b.input(b.listed({1, 4, 0})), others = b.input({2, 2, 2});
  b.send(0, {some.part(0), others.part(0), b.input({3, 1})});
  const Schedule schedule = b.finish();
  ASSERT_EQ(schedule.operations.size(), 1U);
  const Region& source = schedule.operations[0].source;
  for (const int k : {0, 1, 2}) {
    EXPECT_EQ(source.label.at(k), 1 + k);
    EXPECT_EQ(source.place.at(k), 1 + k);
  }
}

TEST(Builder, copies_together_what_only_begins_one_after_the_other) {
  Builder b = allreduce();
  b.cut(5);
  b.send(0, {b.input({0, 1}), b.input(b.listed({1, 4}))});
  const Schedule schedule = b.finish();
  const Region& source = schedule.operations.back().source;
  ASSERT_EQ(source.blocks, 3);
  EXPECT_EQ(source.buffer, Buffer::scratch);
  EXPECT_EQ(source.label.at(2), 4);
}

TEST(Builder, receives_and_sums_any_blocks_at_once) {
  Builder b = allreduce();
  b.cut(4);
  b.merge_streams();
  const Range some = b.listed({3, 1});
  b.send(2, b.reduce(b.input(some), b.recv(0, some)));
  b.send(2, b.recv(0, {3, 2, -2}));
  const Schedule schedule = b.finish();
  ASSERT_EQ(schedule.operations.size(), 5U);
  for (const int k : {0, 2, 3, 4}) EXPECT_TRUE(schedule.operations[k].merged);
  EXPECT_FALSE(schedule.operations[1].merged) << "the input's blocks lie apart";
  EXPECT_EQ(schedule.areas.size(), 2U);
}

TEST(Builder, refuses_a_part_that_wants_what_it_was_not_given) {
  Builder b = builder(Collective::allreduce, 2, 0);
  b.cut(2);
  const Bundle sum{b.reduce(b.input({0, 1}), b.recv(1, {0, 1}))};
  const auto take_all = [](Builder& part) { part.output(part.input({0, 2})); };
  EXPECT_THROW((void)b.perform(contract_of(Collective::allgather), take_all, sum), std::logic_error);
}

TEST(Builder, waits_for_the_send_before_the_input_in_place_is_overwritten) {
  Builder b = allreduce(true);
  b.send(0, b.input());
  b.output(b.recv(0));
  const Schedule schedule = b.finish();

  EXPECT_TRUE(depends(schedule, 1, 0, Wait::aligned));
}

TEST(Builder, has_no_output_on_a_rank_that_only_contributes) {
  Builder b = builder(Collective::reduce, 3, 1);
  const Stream sum = b.input();
  EXPECT_THROW(b.output(sum), std::logic_error);
}

TEST(Builder, chains_the_operations_of_one_channel) {
  Builder b = allreduce();
  b.cut(2);
  b.send(0, b.input({0, 1}));
  b.send(0, b.input({1, 1}));
  const Schedule schedule = b.finish();

  EXPECT_TRUE(depends(schedule, 1, 0, Wait::posted));
}

TEST(Builder, shifts_dependencies_between_walks_that_begin_elsewhere) {
  Builder b = allreduce();
  b.cut(4);
  const Stream data = b.recv(0, {0, 4});
  b.send(2, data.part(2, 2));
  b.output(data);
  const Schedule schedule = b.finish();

  EXPECT_TRUE(depends(schedule, 1, 0, Wait::aligned, 2));
}

TEST(Builder, reads_a_stream_backwards) {
  Builder b = allreduce();
  b.cut(4);
  const Stream data = b.recv(0, {0, 4});
  b.send(2, data.at({2, 3, -1}));
  b.output(data);
  const Schedule schedule = b.finish();

  const Region& sent = schedule.operations[1].source;
  EXPECT_EQ(sent.place.at(0), 2);
  EXPECT_EQ(sent.place.at(2), 0);
  EXPECT_TRUE(depends(schedule, 1, 0, Wait::aligned, 2));  // its first block is the third one to come
}

TEST(Builder, packs_streams_of_one_message_that_lie_apart) {
  Builder b = builder(Collective::reduce, 4, 3);
  b.cut(2);
  b.merge_streams();
  const Stream low = b.recv(1, {0, 1});
  const Stream high = b.recv(2, {1, 1});
  b.send(0, Bundle{low, high});
  const Schedule schedule = b.finish();

  ASSERT_EQ(schedule.operations.size(), 5U);
  EXPECT_EQ(schedule.operations[2].kind, Kind::copy);
  EXPECT_EQ(schedule.operations[3].kind, Kind::copy);
  EXPECT_EQ(schedule.operations[4].source.blocks, 2);
}

TEST(Builder, sends_single_blocks_that_lie_one_after_the_other_from_where_they_are) {
  Builder b = allreduce();
  b.cut(3);
  b.merge_streams();
  const Bundle all = {b.recv(0, {0, 1}), b.recv(0, {1, 1}), b.recv(0, {2, 1})};
  b.send(2, all);
  b.output(all);
  const Schedule schedule = b.finish();

  ASSERT_EQ(schedule.operations.size(), 4U);
  EXPECT_EQ(schedule.operations[3].kind, Kind::send);
  EXPECT_EQ(schedule.operations[3].source.buffer, Buffer::output);
}

TEST(Builder, refuses_to_add_different_blocks) {
  Builder b = allreduce();
  b.cut(3);
  const Stream left = b.input({0, 2});
  const Stream right = b.input({1, 2});
  EXPECT_THROW((void)b.reduce(left, right), std::logic_error);
}

TEST(Builder, takes_turns_in_two_areas_when_many_streams_are_received) {
  Builder b = builder(Collective::reduce, 40, 1);
  Stream sum = b.input();
  for (Rank child = 2; child < 40; child++) sum = b.reduce(sum, b.recv(child));
  b.send(0, sum);
  const Schedule schedule = b.finish();

  EXPECT_LE(schedule.areas.size(), 4U);
}

TEST(Builder, makes_nothing_of_empty_streams) {
  Builder b = allreduce();
  b.cut(2);
  b.send(0, b.input({0, 0}));
  b.output(b.input());
  const Schedule schedule = b.finish();

  ASSERT_EQ(schedule.operations.size(), 1U);
  EXPECT_EQ(schedule.operations[0].kind, Kind::copy);
}

}  // namespace
}  // namespace espalier
