// SPDX-License-Identifier: Apache-2.0
// Times that can be worked out by hand.
#include "levels/node_run.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"
#include "algorithms/plan.hpp"
#include "levels/small_node.hpp"

namespace espalier::node_run_test {
namespace {

NodeCost cost_of(Collective collective, const char* name, std::size_t count, std::size_t element_bytes,
                 const NodeJob& job) {
  const Problem problem{.collective = collective, .count = count, .element_bytes = element_bytes};
  const Choice choice{.algorithm = find_algorithm(collective, name)};
  const Shape shape{.size = static_cast<Rank>(job.core_of.size())};
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < shape.size; ++rank) {
    ranks.push_back(build_schedule(*choice.algorithm, request_for(choice, problem, shape, rank)));
  }
  return node_cost(ranks, {partition_for(choice, problem, ranks.front()), element_bytes, choice.cut.window}, job);
}

// From one core to the other.
NodeCost of_message(std::size_t bytes, Handover handover) {
  const NodeLevels node = small_node();
  return cost_of(Collective::bcast, "linear", bytes, 1, {node, placed_in_order(2), handover});
}

// Written at 1, seen at 6, taken at 7, and 10 for the call.
TEST(NodeRun, hands_a_short_message_over_in_one_line) {
  const NodeCost cost = of_message(32, Handover::streams);
  EXPECT_DOUBLE_EQ(cost.seconds, 17);
  EXPECT_EQ(cost.lines, (std::vector<std::uint64_t>{1}));
  EXPECT_DOUBLE_EQ(cost.path_bytes, 64);
  EXPECT_EQ(cost.path_messages, 1);
  EXPECT_DOUBLE_EQ(cost.most_bytes, 32);
}

// Both ends take 1 s, 5 s for the first line and 64 / 20 s; 5 s lie between.
TEST(NodeRun, copies_a_longer_message_at_both_ends) {
  const NodeCost cost = of_message(64, Handover::streams);
  EXPECT_DOUBLE_EQ(cost.seconds, 9.2 + 5 + 9.2 + 10);
  EXPECT_EQ(cost.lines, (std::vector<std::uint64_t>{2}));
}

// Announced at 1, asked for at 7; pieces of 6,100 bytes are written from 12 to 323 and to 629, the first one is taken
// from 328 to 639, the second one until 945: only the first line of all is waited for.
TEST(NodeRun, copies_pieces_at_both_ends_at_the_same_time) {
  const NodeCost cost = of_message(12'200, Handover::streams);
  EXPECT_DOUBLE_EQ(cost.seconds, 955);
  EXPECT_EQ(cost.lines, (std::vector<std::uint64_t>{2 + 2 * (1 + 96)}));
}

// Announced, read from 7 + 2 on, 5 s and 10 bytes a second; then the sender is told.
TEST(NodeRun, reads_a_long_message_through_the_system) {
  EXPECT_DOUBLE_EQ(of_message(200'000, Handover::streams).seconds, 7 + 2 + 5 + 20'000 + 5 + 1 + 10);
}

// Seen at 6, taken by 7 + 5 + 20, and the sender is told.
TEST(NodeRun, copies_once_what_is_mapped) {
  const NodeCost cost = of_message(1000, Handover::mapped);
  EXPECT_DOUBLE_EQ(cost.seconds, 32 + 5 + 1 + 10);
  EXPECT_EQ(cost.lines, (std::vector<std::uint64_t>{1 + 16 + 1}));
  EXPECT_DOUBLE_EQ(cost.most_bytes, 1000);
}

// 10 s more.
TEST(NodeRun, stages_what_lies_in_the_memory_of_the_application) {
  EXPECT_DOUBLE_EQ(of_message(1000, Handover::staged).seconds, 10 + 32 + 5 + 1 + 10);
}

// Both write at once; then 8 bytes are added in 1 s.
TEST(NodeRun, adds_after_what_has_arrived_was_taken) {
  const NodeLevels node = small_node();
  const NodeCost cost =
      cost_of(Collective::allreduce, "recursive_doubling", 1, 8, {node, placed_in_order(2), Handover::streams});
  EXPECT_DOUBLE_EQ(cost.seconds, 7 + 1 + 10);
  EXPECT_DOUBLE_EQ(cost.path_bytes, 24);
}

// Seen at 6 and known at 7. The first line takes 5 s, then 1024 bytes are added at 8 bytes a second, which is slower
// than they come. The sender hears of it 5 s later.
TEST(NodeRun, adds_a_lent_message_where_it_lies) {
  const NodeLevels node = small_node();
  const NodeCost cost =
      cost_of(Collective::allreduce, "recursive_doubling", 128, 8, {node, placed_in_order(2), Handover::mapped});
  EXPECT_DOUBLE_EQ(cost.seconds, 7 + 5 + 128 + 5 + 1 + 10);
}

// The root writes 3 frames, one after the other. Those for the far pair take 7 s, not 5.
TEST(NodeRun, takes_longer_across_an_outer_level) {
  const NodeLevels node = node_of_pairs();
  const NodeCost cost = cost_of(Collective::bcast, "linear", 8, 1, {node, placed_in_order(4), Handover::streams});
  EXPECT_DOUBLE_EQ(cost.seconds, 3 + 7 + 1 + 10);
  EXPECT_EQ(cost.lines, (std::vector<std::uint64_t>{1, 2}));
}

}  // namespace
}  // namespace espalier::node_run_test
