// SPDX-License-Identifier: Apache-2.0
#include "schedule/sub_collective.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace espalier {
namespace {

using Kind = Operation::Kind;

// Each of two sends the other its contribution.
void exchange(Builder& b) {
  const Rank other = 1 - b.rank();
  const Stream own = b.input();
  b.send(other, own);
  b.output(b.reduce(own, b.recv(other)));
}

// The blocks one by one, each from the one before.
void pass_on(Builder& b) {
  for (int block = 0; block < b.size(); ++block) {
    if (block == b.rank()) continue;
    b.send(1 - b.rank(), b.input({block, 1}));
  }
  const Stream own = b.input({b.rank(), 1});
  b.output(b.reduce(b.recv(1 - b.rank(), {b.rank(), 1}), own));
}

SubCollective of_two(Collective collective, void (*build)(Builder&), Rank me) {
  return SubCollective({.contract = contract_of(collective), .shape = {2}, .me = me}, build);
}

TEST(SubCollective, speaks_of_the_larger_ones_ranks_and_blocks) {
  const SubCollective pair = of_two(Collective::allreduce, exchange, 1);
  Builder b({.contract = contract_of(Collective::allreduce), .shape = {4}, .me = 3});
  b.cut(2);
  PlacedCollective placed(b, pair, {1, 3}, [](int) { return std::vector<std::int32_t>{1}; });
  ASSERT_EQ(placed.inputs(), (std::vector<Range>{{1, 1}}));
  b.use({0, 2}, 5);
  for (const Bundle& made : b.perform(placed, {{b.input({1, 1})}})) b.output(made);
  b.output(b.input({0, 1}));
  const Schedule schedule = b.finish();

  ASSERT_GE(schedule.operations.size(), 3U);
  EXPECT_EQ(schedule.operations[0].kind, Kind::send);
  EXPECT_EQ(schedule.operations[0].peer(), 1);
  EXPECT_EQ(schedule.operations[0].channel, 5);
  EXPECT_EQ(schedule.operations[0].source.label.at(0), 1);
  EXPECT_EQ(schedule.operations[1].kind, Kind::recv);
  EXPECT_EQ(schedule.operations[1].target.label.at(0), 1);
}

TEST(SubCollective, says_what_it_takes_and_makes_in_its_own_order) {
  const SubCollective scatter = of_two(Collective::reduce_scatter, pass_on, 1);
  Builder b({.contract = contract_of(Collective::reduce_scatter), .shape = {4}, .me = 2});
  const PlacedCollective placed(b, scatter, {0, 2}, [](int block) {
    return std::vector<std::int32_t>{2 * block, 2 * block + 1};
  });
  EXPECT_EQ(placed.inputs(), (std::vector<Range>{{0, 2}, {2, 2}}));
  EXPECT_EQ(placed.outputs(), (std::vector<Range>{{2, 2}}));
}

TEST(SubCollective, sends_a_block_that_is_several_in_one_message_where_it_is_told_to) {
  const SubCollective pair = of_two(Collective::reduce_scatter, pass_on, 0);
  for (const bool together : {false, true}) {
    Builder b({.contract = contract_of(Collective::reduce_scatter), .shape = {4}, .me = 0});
    PlacedCollective placed(b, pair, {0, 2}, [](int block) {
      return std::vector<std::int32_t>{2 * block, 2 * block + 1};
    });
    std::vector<Bundle> given;
    for (const Range& range : placed.inputs()) given.push_back({b.input(range)});
    const std::vector<Bundle> made = b.perform(placed, given, together);
    b.output(blocks_of(made.front(), 0, 1));
    const Schedule schedule = b.finish();
    EXPECT_EQ(schedule.operations[0].kind, Kind::send);
    EXPECT_EQ(schedule.operations[0].merged, together);
    EXPECT_EQ(schedule.operations[0].source.blocks, 2);
  }
}

TEST(SubCollective, must_be_given_what_it_takes) {
  const SubCollective pair = of_two(Collective::allreduce, exchange, 0);
  Builder b({.contract = contract_of(Collective::allreduce), .shape = {4}, .me = 0});
  b.cut(2);
  PlacedCollective placed(b, pair, {0, 2}, [](int) { return std::vector<std::int32_t>{0}; });
  EXPECT_THROW(static_cast<void>(b.perform(placed, {{b.input()}})), std::logic_error);
}

}  // namespace
}  // namespace espalier
