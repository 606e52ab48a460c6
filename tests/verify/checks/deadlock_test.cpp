// SPDX-License-Identifier: Apache-2.0
#include "../checks.hpp"

namespace espalier::deadlock_test {
namespace {

using namespace hand_made;
using namespace checks;

Region ring(int area, int label) { return slots_of(area, 1, {label}); }

// Rank 0 sends the halves of its message one after the other; rank 1 wants to add them up piece by piece, so it keeps
// the first half in `rings` rings of scratch slots, one behind the other. These hold rings * w segments.
const Case one_reducer{Collective::barrier, 2};

Schedules halves(int rings) {
  Script sender, receiver;
  const Region input = blocks_of(Buffer::input, 1), output = blocks_of(Buffer::output, 1);
  sender.send(1, input);
  sender.send(1, input, {after_posting(0)});
  sender.recv(1, output);
  for (int k = 0; k <= rings; ++k) receiver.area(Area::Kind::ring, 1);
  const auto adder = static_cast<std::uint32_t>(rings + 1);
  // 0: into the first ring; 1 ... rings - 1: on to the next one; rings: the other half; rings + 1: both
  receiver.recv(0, ring(0, 0), {lagging(rings == 1 ? adder : 1)});
  for (int k = 1; k < rings; ++k) {
    const auto next = static_cast<std::uint32_t>(k + 1 == rings ? rings + 1 : k + 1);
    receiver.copy(ring(k, 0), ring(k - 1, 0), {after(static_cast<std::uint32_t>(k - 1)), lagging(next)});
  }
  receiver.recv(0, ring(rings, 0), {after_posting(0), lagging(adder)});
  const auto last_ring = static_cast<std::uint32_t>(rings - 1);
  receiver.reduce(output, ring(rings - 1, 0), ring(rings, 0), {after(last_ring), after(adder - 1)});
  receiver.reduce(output, output, input, {after(adder)});
  receiver.send(0, output, {after(adder + 1)});
  return {sender.schedule(), receiver.schedule()};
}

// The real deadlock that no run with few segments shows.
TEST(Deadlock, that_appears_only_for_many_segments_is_found) {
  for (const int rings : {1, 2, 3}) {
    const Schedules ranks = halves(rings);
    for (const int window : {1, 2, 4}) {
      // A segment more may have been posted than the rings hold.
      EXPECT_EQ(verify(one_reducer, ranks, {rings * window, window}).error, "") << rings << " rings, window " << window;
      const Verdict verdict = verify(one_reducer, ranks, {rings * window + 2, window});
      EXPECT_NE(verdict.error.find("deadlock"), std::string::npos) << rings << " rings, window " << window;
    }
    expect_only(one_reducer, ranks, {1, 1}, "deadlock", "for many segments: ");
  }
}

TEST(Deadlock, is_described_by_its_cycle) {
  const std::string error = static_deadlock_check(one_reducer, halves(1));
  EXPECT_NE(error.find("rank 1, operation 0 (recv from 0) posted, waits for rank 1, operation 2 (reduce)"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("1 s + -1 w + "), std::string::npos) << error;
}

TEST(Deadlock, of_two_sends_that_wait_for_each_other_is_found) {
  Script script[2];
  for (const Rank me : {0, 1}) {
    script[me].send(1 - me, blocks_of(Buffer::input, 1));
    script[me].recv(1 - me, blocks_of(Buffer::output, 1), {after(0)});
  }
  const std::string error =
      static_deadlock_check(allreduce_of_two, Schedules{script[0].schedule(), script[1].schedule()});
  EXPECT_NE(error.find("deadlock: "), std::string::npos) << error;
}

// The same with the receive a block behind: each item waits for an earlier one only.
TEST(Deadlock, is_none_where_the_cycle_falls_behind) {
  Script script[2];
  for (const Rank me : {0, 1}) {
    script[me] = Script(3);
    script[me].send(1 - me, blocks_of(Buffer::input, 3));
    script[me].recv(1 - me, blocks_of(Buffer::output, 3), {after(0, -1)});
  }
  const Schedules ranks{script[0].schedule(), script[1].schedule()};
  EXPECT_EQ(static_deadlock_check(allreduce_of_two, ranks), "");
}

TEST(Deadlock, is_none_in_hand_made_schedules) {
  for (const Rank size : {1, 2, 3, 5, 8, 16}) {
    EXPECT_EQ(static_deadlock_check({Collective::bcast, size}, schedules_of(size, chain_broadcast)), "");
    EXPECT_EQ(static_deadlock_check({Collective::reduce, size, size - 1}, schedules_of(size, chain_reduction)), "");
    EXPECT_EQ(static_deadlock_check({Collective::allreduce, size}, schedules_of(size, ring_allreduce)), "");
  }
}

// A ring allreduce that keeps its partial sums in a ring of slots until they are sent: each rank waits for the next
// one, s - w items further on, round the whole ring.
TEST(Deadlock, round_a_whole_ring_is_found) {
  const auto sums_in_slots = [](Rank me, Rank size) {
    Script script(size);
    const Rank next = (me + 1) % size, previous = (me + size - 1) % size;
    const auto walk = [&](int first) { return Walk{wrap(first, size), -1, size}; };
    const int steps = size - 1;
    const Region sums = slots_of(script.area(Area::Kind::ring, 1), steps, walk(me - 1));
    Region sent = sums, last = sums;
    sent.blocks = steps - 1;
    last.blocks = 1;
    last.label = last.label.from(steps - 1);
    script.send(next, blocks_of(Buffer::input, 1, walk(me)));                              // 0
    script.recv(previous, sums, {lagging(3)});                                             // 1
    script.reduce(sums, sums, blocks_of(Buffer::input, steps, walk(me - 1)), {after(1)});  // 2
    script.send(next, sent, {after(2), after_posting(0)});                                 // 3
    return script.schedule();
  };
  const Case barrier{Collective::barrier, 4};
  const std::string error = static_deadlock_check(barrier, schedules_of(4, sums_in_slots));
  EXPECT_NE(error.find("deadlock for many segments: "), std::string::npos) << error;
  EXPECT_NE(error.find("merge_streams()"), std::string::npos) << "a remedy: " << error;
}

// Streams in step pass as they are; where one also waits for all of the other, neither can go on.
TEST(Deadlock, of_streams_in_step_is_found) {
  const auto exchange = [](std::initializer_list<Dependency> of_second) {
    Script script[2];
    for (const Rank me : {0, 1}) {
      script[me].send(1 - me, blocks_of(Buffer::input, 1), {in_step_with(1)}, 0);
      script[me].send(1 - me, blocks_of(Buffer::input, 1), of_second, 1);
      script[me].recv(1 - me, blocks_of(Buffer::output, 1), {}, 0);
      script[me].recv(1 - me, blocks_of(Buffer::output, 1), {after_all_of(2)}, 1);
    }
    return Schedules{script[0].schedule(), script[1].schedule()};
  };
  EXPECT_NE(static_deadlock_check(allreduce_of_two, exchange({in_step_with(0)})), "") << "the receives are not in step";
  EXPECT_NE(static_deadlock_check(allreduce_of_two, exchange({after_all_of(0)})), "");
}

// Whenever the static check passes a schedule, no cut of it deadlocks; here for all that a shift can do.
TEST(Deadlock, check_agrees_with_the_runs_of_many_cuts) {
  int deadlocks = 0, passed = 0;
  for (int shift = -2; shift <= 2; ++shift) {
    for (int back = -2; back <= 2; ++back) {
      Script script[2] = {Script(3), Script(3)};
      for (const Rank me : {0, 1}) {
        script[me].send(1 - me, blocks_of(Buffer::input, 3), {after(1, me == 0 ? shift : back)});
        script[me].recv(1 - me, blocks_of(Buffer::output, 3));
      }
      const Schedules ranks{script[0].schedule(), script[1].schedule()};
      const proof::AllRanks all(allreduce_of_two, ranks);
      const bool is_passed = proof::check_deadlock(all).empty();
      passed += is_passed;
      for (const Sample cut : {Sample{1, 1}, {2, 1}, {5, 1}, {5, 2}, {2, 5}, {7, 3}}) {
        Expressions expressions(2);
        const bool ends =
            proof::SymbolicRun(all, proof::partitions_of(all, cut), {.window = cut.window}, expressions).run().empty();
        deadlocks += !ends;
        EXPECT_TRUE(ends || !is_passed) << "shifts " << shift << " and " << back;
      }
    }
  }
  EXPECT_GT(deadlocks, 0);
  EXPECT_GT(passed, 0);
}

}  // namespace
}  // namespace espalier::deadlock_test
