// SPDX-License-Identifier: Apache-2.0
#include "engine/flat_program.hpp"

#include <gtest/gtest.h>

#include "hand_made.hpp"

namespace espalier::flat_program_test {
namespace {

using namespace hand_made;

const Region message = blocks_of(Buffer::output, 1);

// "w1 2" : wait for operation 1, then step 2.
std::string text_of(const FlatProgram& program) {
  std::string text;
  for (const FlatStep& step : program.steps) {
    for (const std::uint32_t wait : program.waits_before(step)) text += "w" + std::to_string(wait) + " ";
    text += std::to_string(step.operation) + " ";
  }
  for (const std::uint32_t wait : std::span(program.waits).subspan(program.last_wait))
    text += "w" + std::to_string(wait) + " ";
  return text;
}

Items items_of(const Schedule& schedule, int segments = 1) {
  return {schedule, unit_partition(schedule.blocks, segments)};
}

std::string order_of(const Schedule& schedule) { return text_of(flat_order(schedule, items_of(schedule))); }

bool can_be_flat(const Schedule& schedule, int segments = 1) { return is_flat(schedule, items_of(schedule, segments)); }

TEST(FlatProgram, waits_for_a_message_just_before_its_first_dependant) {
  Script script;
  script.send(1, message);
  script.recv(1, message);
  script.reduce(message, message, message, {after(1)});
  script.send(2, message, {after(2), after(1)});
  EXPECT_EQ(order_of(script.schedule()), "0 1 w1 2 3 w0 w3 ");
}

TEST(FlatProgram, waits_once_and_not_for_local_work_or_posting_order) {
  Script script;
  script.recv(1, message);
  script.copy(message, message, {after_all_of(0)});
  script.send(1, message, {after(0), after(1)});
  script.send(1, message, {after_posting(2)});
  EXPECT_EQ(order_of(script.schedule()), "0 w0 1 2 3 w2 w3 ");
}

TEST(FlatProgram, ignores_lags_that_a_single_item_cannot_feel) {
  Script script;
  script.recv(1, slots_of(script.area(Area::Kind::ring, 1), 1), {lagging(1)});
  script.reduce(message, message, message, {after(0)});
  ASSERT_TRUE(can_be_flat(script.schedule()));
  EXPECT_EQ(order_of(script.schedule()), "0 w0 1 ");
}

TEST(FlatProgram, is_refused_to_operations_with_several_items_unless_they_are_merged) {
  Script script(4);
  script.recv(1, blocks_of(Buffer::output, 4));
  EXPECT_FALSE(can_be_flat(script.schedule()));
  Schedule merged = script.schedule();
  merged.operations[0].merged = true;
  EXPECT_TRUE(can_be_flat(merged));
  EXPECT_TRUE(can_be_flat(merged, 7));
  EXPECT_FALSE(can_be_flat(chain_broadcast(1, 3), 2));
}

TEST(FlatProgram, is_refused_where_an_operation_waits_for_a_later_one) {
  Script script;
  script.send(1, message, {after(1)});
  script.recv(2, message);
  EXPECT_FALSE(can_be_flat(script.schedule()));
}

TEST(FlatProgram, leaves_out_operations_without_items) {
  Script script;
  script.recv(1, blocks_of(Buffer::output, 0));
  script.send(2, message, {after_all_of(0)});
  EXPECT_EQ(order_of(script.schedule()), "1 w1 ");
}

}  // namespace
}  // namespace espalier::flat_program_test
