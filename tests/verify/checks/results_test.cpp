// SPDX-License-Identifier: Apache-2.0
#include "../checks.hpp"

namespace espalier::results_test {
namespace {

using namespace hand_made;
using namespace checks;

const Region input = blocks_of(Buffer::input, 1), output = blocks_of(Buffer::output, 1);

// Two ranks swap their inputs; each combines the two as it is told.
Schedule swapping(Rank me, const Region& left, const Region& right) {
  Script script;
  script.area(Area::Kind::slots, 1);
  script.recv(1 - me, slots_of(0, 1));
  script.send(1 - me, input);
  script.reduce(output, left, right, {after(0)});
  return script.schedule();
}
const Region theirs = slots_of(0, 1);

TEST(Results, pass_the_same_expression_on_both_ranks) {
  expect_right(allreduce_of_two, {swapping(0, input, theirs), swapping(1, theirs, input)}, {2, 1});
}

TEST(Results, refuse_different_expressions_on_different_ranks) {
  expect_only(allreduce_of_two, {swapping(0, input, theirs), swapping(1, input, theirs)}, {2, 1}, "results",
              "rank 1, block 0 of the output is combined differently than on rank 0");
}

TEST(Results, refuse_a_contribution_twice) {
  Script sender, receiver;
  sender.send(1, input);
  receiver.recv(0, slots_of(receiver.area(Area::Kind::slots, 1), 1));
  receiver.reduce(output, theirs, input, {after(0)});
  receiver.reduce(output, output, input, {after(1)});
  expect_only({Collective::reduce, 2, 1}, {sender.schedule(), receiver.schedule()}, {2, 1}, "results",
              "rank 1, block 0 of the output holds a contribution twice");
}

TEST(Results, refuse_a_missing_contribution) {
  Script script;
  script.copy(output, input);
  expect_only({Collective::reduce, 2, 1}, {Script().schedule(), script.schedule()}, {2, 1}, "results",
              "lacks the contribution of rank 0");
}

TEST(Results, refuse_an_output_that_was_never_written) {
  Script sender(2), receiver(2);
  sender.send(1, blocks_of(Buffer::output, 1));
  receiver.recv(0, blocks_of(Buffer::output, 1));
  expect_only(bcast_of_two, {sender.schedule(), receiver.schedule()}, {2, 1}, "results",
              "rank 1, block 1 of the output was never written");
}

TEST(Results, refuse_wrong_rank_order_where_it_is_asked_for) {
  Script sender, receiver;
  sender.send(1, input);
  receiver.recv(0, slots_of(receiver.area(Area::Kind::slots, 1), 1));
  receiver.reduce(output, input, theirs, {after(0)});
  const Schedules ranks{sender.schedule(), receiver.schedule()};
  Case problem{Collective::reduce, 2, 1};
  expect_right(problem, ranks, {2, 1});
  problem.needs_rank_order = true;
  expect_only(problem, ranks, {2, 1}, "results", "not in rank order");
}

TEST(Results, of_a_barrier_need_everybody_to_know_of_everybody) {
  Script script[2];
  for (const Rank me : {0, 1}) {
    script[me].area(Area::Kind::slots, 1);
    script[me].recv(1 - me, theirs);
    script[me].send(1 - me, input);
    script[me].reduce(output, input, theirs, {after(0)});
  }
  const Case barrier{Collective::barrier, 2};
  expect_right(barrier, {script[0].schedule(), script[1].schedule()}, {1, 1});

  Script sender, receiver;
  sender.send(1, input);
  sender.copy(output, input);
  receiver.recv(0, slots_of(receiver.area(Area::Kind::slots, 1), 1));
  receiver.reduce(output, input, theirs, {after(0)});
  expect_only(barrier, {sender.schedule(), receiver.schedule()}, {1, 1}, "results",
              "rank 0, block 0 of the output lacks the contribution of rank 1");
}

TEST(Results, of_a_barrier_may_learn_twice) {
  Script script;
  script.reduce(output, input, input);
  expect_right({Collective::barrier, 1}, {script.schedule()}, {1, 1});
  expect_only({Collective::allreduce, 1}, {script.schedule()}, {1, 1}, "results", "twice");
}

}  // namespace
}  // namespace espalier::results_test
