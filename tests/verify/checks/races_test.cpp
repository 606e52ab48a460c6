// SPDX-License-Identifier: Apache-2.0
#include "../checks.hpp"

namespace espalier::races_test {
namespace {

using namespace hand_made;
using namespace checks;

Region block(int first) { return blocks_of(Buffer::output, 1, {first}); }
Region slot(int label) { return slots_of(0, 1, {label}); }

const Case bcast_of_three{Collective::bcast, 3};

// Rank 0 sends two blocks, the second one only when the first is back from rank 2. Rank 1 takes both through
// one slot, to itself and on to rank 2. So the messages always come in a good order, but rank 1 must not rely on that.
Schedules relay(std::initializer_list<Dependency> of_send, std::initializer_list<Dependency> of_second_receive) {
  Script first(2), middle(2), last(2);
  first.send(1, block(0));
  first.recv(2, slots_of(first.area(Area::Kind::slots, 1), 1));
  first.send(1, block(1), {after_posting(0), after_all_of(1)});
  middle.area(Area::Kind::slots, 1);
  middle.recv(0, slot(0));                     // 0
  middle.copy(block(0), slot(0), {after(0)});  // 1
  middle.send(2, slot(0), of_send);            // 2
  middle.recv(0, slot(1), of_second_receive);  // 3
  middle.copy(block(1), slot(1), {after(3)});  // 4
  middle.send(2, slot(1), {after(3), after_posting(2)});
  last.recv(1, blocks_of(Buffer::output, 2));
  last.send(0, block(0), {after(0)});
  return {first.schedule(), middle.schedule(), last.schedule()};
}

// But for the layout: a slot that is used again for a block of another size is that check's own matter.
std::vector<Failure> failures_of_relay(const Schedules& ranks) {
  std::vector<Failure> found = failures(bcast_of_three, ranks, {3, 1});
  std::erase_if(found, [](const Failure& failure) { return failure.check == "layout"; });
  return found;
}

TEST(Races, are_none_where_the_second_receive_waits) {
  EXPECT_TRUE(failures_of_relay(relay({after(0)}, {after_posting(0), after_all_of(1), after_all_of(2)})).empty());
}

TEST(Races, are_found_between_a_send_and_a_receive_into_its_source) {
  const std::vector<Failure> found = failures_of_relay(relay({after(0)}, {after_posting(0), after_all_of(1)}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].error,
            "race: rank 1, operation 3 (recv from 0), item 0 touches what item 0 of operation 2 touches, and nothing "
            "orders them");
}

TEST(Races, are_found_between_a_copy_and_a_receive_into_its_source) {
  const std::vector<Failure> found = failures_of_relay(relay({after(0)}, {after_posting(0), after_all_of(2)}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].error.find("operation 1 touches"), std::string::npos);
}

// The send waits for the copy, so who waits for the send waits for both.
TEST(Races, are_none_where_the_order_follows_from_other_operations) {
  EXPECT_TRUE(failures_of_relay(relay({after(1)}, {after_posting(0), after_all_of(2)})).empty());
}

// Items of one operation may be under way together: two items of a walk that comes back to a slot must not be.
TEST(Races, are_found_between_items_of_one_operation) {
  Script sender(2), receiver(2);
  sender.send(1, blocks_of(Buffer::output, 2));
  receiver.area(Area::Kind::slots, 1);
  Region same_slot = slots_of(0, 2);
  same_slot.place = {0, 0, 0};
  receiver.recv(0, same_slot);
  receiver.recv(0, blocks_of(Buffer::output, 2), {after_all_of(0)});
  sender.send(1, blocks_of(Buffer::output, 2), {after_posting(0)});
  const Schedules ranks{sender.schedule(), receiver.schedule()};
  EXPECT_EQ(verify(bcast_of_two, ranks, {2, 1}).error, "");
  EXPECT_NE(verify(bcast_of_two, ranks, {2, 4}).error.find("race: rank 1, operation 0 (recv from 0), item 2"),
            std::string::npos);
}

// A ring's slot is free again only when its reader is done with it. The sender paces itself by the results that come
// back, so that no run would show anything.
TEST(Races, are_found_in_a_ring_without_a_lag) {
  const Region input = blocks_of(Buffer::input, 1), output = blocks_of(Buffer::output, 1), ring = slots_of(0, 1);
  const auto make = [&](std::initializer_list<Dependency> of_receive) {
    Script sender, adder;
    sender.send(1, input, {lagging(1)});
    sender.recv(1, output);
    adder.area(Area::Kind::ring, 1);
    adder.recv(0, ring, of_receive);
    adder.reduce(output, ring, input, {after(0)});
    adder.send(0, output, {after(1)});
    return Schedules{sender.schedule(), adder.schedule()};
  };
  expect_right(allreduce_of_two, make({lagging(1)}), {5, 2});
  expect_only(allreduce_of_two, make({}), {5, 2}, "races", "rank 1, operation 0 (recv from 0), item 2");
}

TEST(Races, are_found_where_an_operation_writes_over_its_own_source) {
  Script script;
  script.copy(blocks_of(Buffer::output, 1), blocks_of(Buffer::output, 1));
  expect_only({Collective::allreduce, 1, 0, Case::InPlaceAt::all}, {script.schedule()}, {1, 1}, "races",
              "writes over its own source");
}

}  // namespace
}  // namespace espalier::races_test
