// SPDX-License-Identifier: Apache-2.0
#include "../checks.hpp"

namespace espalier::channels_test {
namespace {

using namespace hand_made;
using namespace checks;

Region block(int first) { return blocks_of(Buffer::output, 1, {first}); }

TEST(Messages, may_be_partitioned_differently_at_both_ends) {
  Script sender(4), receiver(4);
  sender.send(1, blocks_of(Buffer::output, 1, {0}));
  sender.send(1, blocks_of(Buffer::output, 3, {1}), {after_posting(0)});
  receiver.recv(0, blocks_of(Buffer::output, 2, {0}));
  receiver.recv(0, blocks_of(Buffer::output, 2, {2}), {after_posting(0)});
  expect_right(bcast_of_two, {sender.schedule(), receiver.schedule()}, {3, 2});
}

// With one segment it would work: one message meets one message.
TEST(Messages, must_not_meet_segments) {
  Script sender, receiver;
  sender.send(1, block(0));
  receiver.recv(0, block(0));
  Schedule merged = sender.schedule();
  merged.operations[0].merged = true;
  expect_only(bcast_of_two, {merged, receiver.schedule()}, {1, 1}, "messages",
              "sends 1 merged blocks from block 0 on where rank 1, operation 0 (recv from 0) expects block 0");
}

TEST(Messages, must_have_an_other_end) {
  Script sender(2), receiver(2);
  sender.send(1, block(0));
  receiver.recv(0, block(0));
  receiver.recv(0, block(1), {after_posting(0)});
  const proof::AllRanks all(bcast_of_two, std::vector{sender.schedule(), receiver.schedule()});
  const Schedules ranks{sender.schedule(), receiver.schedule()};
  EXPECT_NE(verify(bcast_of_two, ranks, {1, 1}).error.find("nothing is sent for rank 1, operation 1"),
            std::string::npos);
  EXPECT_NE(verify({Collective::bcast, 2, 1}, Schedules{receiver.schedule(), Script(2).schedule()}, {1, 1}).error, "");
}

// Scratch memory takes what comes, whatever its label says: only a comparison of labels sees the exchange.
TEST(Messages, must_be_of_the_same_blocks) {
  Script sender(2), receiver(2);
  sender.send(1, block(0));
  sender.send(1, block(1), {after_posting(0)});
  receiver.recv(0, block(1));
  receiver.recv(0, block(0), {after_posting(0)});
  EXPECT_NE(verify(bcast_of_two, Schedules{sender.schedule(), receiver.schedule()}, {1, 1})
                .error.find("sends block 0 where rank 1, operation 0 (recv from 0) expects block 1"),
            std::string::npos);
}

// Both sends are ready at once, so an engine might post the second one first.
TEST(PostingOrder, must_be_forced_by_dependencies) {
  Script sender(2), receiver(2);
  sender.send(1, block(0));
  sender.send(1, block(1));
  receiver.recv(0, block(0));
  receiver.recv(0, block(1), {after_posting(0)});
  // In the order of numbers, one item at a time, nothing would be seen of it.
  std::vector<Failure> found = failures(bcast_of_two, {sender.schedule(), receiver.schedule()}, {1, 1});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].check, "posting order");
  EXPECT_EQ(found[0].error,
            "rank 0, operation 1 (send to 1) may be posted before operation 0, which is earlier on the same channel");
}

TEST(PostingOrder, of_different_channels_is_free) {
  Script sender(2), receiver(2);
  sender.send(1, block(0), {}, 0);
  sender.send(1, block(1), {}, 1);
  receiver.recv(0, block(1), {}, 1);
  receiver.recv(0, block(0), {}, 0);
  expect_right(bcast_of_two, {sender.schedule(), receiver.schedule()}, {3, 1});
}

TEST(PostingOrder, may_follow_from_other_operations) {
  Script sender(2), receiver(2);
  const int area = sender.area(Area::Kind::slots, 1);
  sender.send(1, block(0));
  sender.copy(slots_of(area, 1, {1}), block(1), {after_all_of(0)});
  sender.send(1, slots_of(area, 1, {1}), {after(1)});
  receiver.recv(0, block(0));
  receiver.recv(0, block(1), {after_posting(0)});
  expect_right(bcast_of_two, {sender.schedule(), receiver.schedule()}, {3, 1});
}

// An aligned dependency orders the first items only.
TEST(PostingOrder, does_not_follow_from_aligned_dependencies) {
  Script sender(2), receiver(2);
  const int area = sender.area(Area::Kind::slots, 1);
  sender.send(1, block(0));
  sender.copy(slots_of(area, 1, {1}), block(1), {after(0)});
  sender.send(1, slots_of(area, 1, {1}), {after(1)});
  receiver.recv(0, block(0));
  receiver.recv(0, block(1), {after_posting(0)});
  expect_only(bcast_of_two, {sender.schedule(), receiver.schedule()}, {1, 1}, "posting order", "operation 2");
}

}  // namespace
}  // namespace espalier::channels_test
