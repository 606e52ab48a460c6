// SPDX-License-Identifier: Apache-2.0
#include "../checks.hpp"

namespace espalier::structure_test {
namespace {

using namespace hand_made;
using namespace checks;

const Region input = blocks_of(Buffer::input, 1), output = blocks_of(Buffer::output, 1);

Schedule sender(const Region& source) {
  Script script;
  script.send(1, source);
  return script.schedule();
}
Schedule receiver(const Region& target) {
  Script script;
  script.recv(0, target);
  return script.schedule();
}
void expect_malformed(const Case& problem, const Schedules& ranks, const std::string& words) {
  expect_only(problem, ranks, {1, 1}, "structure", words);
}

TEST(Structure, passes_a_well_formed_broadcast) {
  EXPECT_EQ(proof::check_structure(bcast_of_two, Schedules{sender(output), receiver(output)}), "");
}

TEST(Structure, refuses_a_wrong_number_of_schedules) {
  expect_malformed(bcast_of_two, {sender(output)}, "one schedule for each rank");
}

TEST(Structure, refuses_a_root_that_does_not_exist) {
  expect_malformed({Collective::bcast, 2, 2}, {sender(output), receiver(output)}, "root");
}

TEST(Structure, refuses_ranks_that_cut_the_message_differently) {
  Schedule other = receiver(output);
  other.blocks = 2;
  expect_malformed(bcast_of_two, {sender(output), other}, "cuts the message in 2 blocks, rank 0 in 1");
}

TEST(Structure, refuses_a_peer_that_does_not_exist) {
  Script script;
  script.send(2, output);
  expect_malformed(bcast_of_two, {script.schedule(), receiver(output)},
                   "rank 0, operation 0 (send to 2): there is no rank 2");
}

TEST(Structure, refuses_a_message_to_itself) {
  Script script;
  script.send(0, output);
  expect_malformed(bcast_of_two, {script.schedule(), receiver(output)}, "to the rank itself");
}

TEST(Structure, refuses_a_channel_that_does_not_exist) {
  Script script;
  script.send(1, output, {}, max_channels);
  expect_malformed(bcast_of_two, {script.schedule(), receiver(output)}, "channel");
}

TEST(Structure, refuses_writing_the_input) {
  expect_malformed(allreduce_of_two, {sender(input), receiver(input)}, "writes the input");
}

TEST(Structure, refuses_the_input_buffer_of_an_in_place_call) {
  expect_malformed(bcast_of_two, {sender(input), receiver(output)}, "touches the input buffer of an in-place call");
}

TEST(Structure, refuses_an_output_that_the_rank_does_not_have) {
  expect_malformed({Collective::reduce, 2, 0}, {sender(input), receiver(output)}, "does not have");
}

TEST(Structure, refuses_a_block_at_the_wrong_place_of_the_output) {
  Script script(2);
  Region region = blocks_of(Buffer::output, 1);
  region.place.first = 1;
  script.recv(0, region);
  Script other(2);
  other.send(1, output);
  expect_malformed(bcast_of_two, {other.schedule(), script.schedule()}, "block 0 lies at place 1");
}

TEST(Structure, refuses_a_block_beyond_the_message) {
  expect_malformed(bcast_of_two, {sender(output), receiver(blocks_of(Buffer::output, 2))}, "there is no block 1");
}

TEST(Structure, refuses_a_slot_beyond_its_area) {
  Script script(2);
  script.recv(0, slots_of(script.area(Area::Kind::slots, 1), 2));
  Script other(2);
  other.send(1, blocks_of(Buffer::output, 2));
  expect_malformed(bcast_of_two, {other.schedule(), script.schedule()}, "there is no slot 1");
}

TEST(Structure, refuses_an_area_that_does_not_exist) {
  expect_malformed(bcast_of_two, {sender(output), receiver(slots_of(0, 1))}, "there is no area 0");
}

TEST(Structure, refuses_regions_of_different_blocks) {
  Script script(2);
  script.copy(blocks_of(Buffer::output, 1, {0}), blocks_of(Buffer::input, 1, {1}));
  expect_malformed({Collective::allreduce, 1}, {script.schedule()}, "differ in the label");
}

TEST(Structure, refuses_an_operation_without_blocks) {
  expect_malformed(bcast_of_two, {sender(output), receiver(blocks_of(Buffer::output, 0))}, "no blocks");
}

TEST(Structure, refuses_a_merged_message_in_a_ring) {
  Script script;
  script.recv(0, slots_of(script.area(Area::Kind::ring, 1), 1));
  Schedule merged = script.schedule();
  merged.operations[0].merged = true;
  expect_malformed(bcast_of_two, {sender(output), merged}, "ring");
}

TEST(Structure, refuses_merged_blocks_that_are_apart) {
  Script script(3);
  script.send(1, blocks_of(Buffer::output, 2, {0, 2}));
  Schedule merged = script.schedule();
  merged.operations[0].merged = true;
  expect_malformed(bcast_of_two, {merged, Script(3).schedule()}, "merged blocks are not one stretch of memory");
}

TEST(Structure, refuses_a_dependency_on_nothing) {
  Script script;
  script.send(1, output, {after(7)});
  expect_malformed(bcast_of_two, {script.schedule(), receiver(output)}, "operation 7, which does not exist");
}

}  // namespace
}  // namespace espalier::structure_test
