// SPDX-License-Identifier: Apache-2.0
#include "../checks.hpp"

namespace espalier::run_test {
namespace {

using namespace hand_made;
using namespace checks;

const Region input = blocks_of(Buffer::input, 1), output = blocks_of(Buffer::output, 1);

TEST(SymbolicRun, ends_for_hand_made_schedules_of_every_size) {
  for (const Rank size : {1, 2, 3, 4, 5, 7, 8}) {
    for (const Sample cut : {Sample{1, 1}, {3, 1}, {5, 2}, {9, 4}, {2, 8}}) {
      expect_right({Collective::bcast, size}, schedules_of(size, chain_broadcast), cut);
      expect_right({Collective::reduce, size, size - 1}, schedules_of(size, chain_reduction), cut);
      expect_right({Collective::allreduce, size}, schedules_of(size, ring_allreduce), cut);
    }
  }
}

// Both wait for their own send before they receive: right only where sends are buffered.
TEST(SymbolicRun, finds_that_sends_wait_for_receives) {
  Script script[2];
  for (const Rank me : {0, 1}) {
    script[me].send(1 - me, input);
    script[me].recv(1 - me, slots_of(script[me].area(Area::Kind::slots, 1), 1), {after_all_of(0)});
    const Region theirs = slots_of(0, 1);
    script[me].reduce(output, me == 0 ? input : theirs, me == 0 ? theirs : input, {after(1)});
  }
  const Verdict verdict = verify(allreduce_of_two, Schedules{script[0].schedule(), script[1].schedule()}, {1, 1});
  EXPECT_EQ(verdict.error,
            "deadlock with 1 segments and window 1: rank 0, operation 0 (send to 1), item 0 of 1 waits for its peer");
}

TEST(SymbolicRun, says_which_dependency_a_stuck_operation_waits_for) {
  Script sender, receiver;
  sender.send(1, output, {after_all_of(1)});
  sender.copy(slots_of(sender.area(Area::Kind::slots, 1), 1), output, {after_all_of(0)});
  receiver.recv(0, output);
  const Verdict verdict = verify(bcast_of_two, Schedules{sender.schedule(), receiver.schedule()}, {3, 1});
  EXPECT_EQ(verdict.error,
            "deadlock with 3 segments and window 1: rank 0, operation 0 (send to 1), item 0 of 3 waits for rank 0, "
            "operation 1 (copy), which has finished 0 of the 3 items needed");
}

TEST(SymbolicRun, finds_a_read_of_what_was_never_written) {
  Script sender, receiver;
  sender.send(1, slots_of(sender.area(Area::Kind::slots, 1), 1));
  receiver.recv(0, output);
  expect_only(bcast_of_two, {sender.schedule(), receiver.schedule()}, {2, 1}, "run",
              "rank 0, operation 0 (send to 1), item 0 reads what was never written");
}

// A slot that holds block 0 is read as if it held block 1.
TEST(SymbolicRun, finds_a_read_of_another_piece) {
  Script script(2);
  const int area = script.area(Area::Kind::slots, 1);
  script.copy(slots_of(area, 1, {0}), blocks_of(Buffer::input, 1, {0}));
  script.copy(blocks_of(Buffer::output, 1, {1}), slots_of(area, 1, {1}), {after_all_of(0)});
  const Verdict verdict = verify({Collective::allreduce, 1}, Schedules{script.schedule()}, {2, 1});
  EXPECT_EQ(verdict.error,
            "rank 0, operation 1 (copy), item 0 reads block 0 segment 0 where block 1 segment 0 should lie");
}

TEST(SymbolicRun, yields_the_same_in_any_order_of_events) {
  const Schedules ranks = schedules_of(5, ring_allreduce);
  const Case problem{Collective::allreduce, 5};
  const proof::AllRanks all(problem, ranks);
  Expressions expressions(5);
  const auto partitions = proof::partitions_of(all, {6, 2});
  proof::SymbolicRun deep(all, partitions, {.window = 2}, expressions);
  proof::SymbolicRun wide(all, partitions, {.window = 2, .in_flight = 2, .breadth_first = true}, expressions);
  EXPECT_EQ(deep.run(), "");
  EXPECT_EQ(wide.run(), "");
  EXPECT_EQ(proof::results_of(all, deep), proof::results_of(all, wide));
  EXPECT_EQ(deep.count_events(), wide.count_events());
}

}  // namespace
}  // namespace espalier::run_test
