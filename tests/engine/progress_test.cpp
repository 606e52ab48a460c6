// SPDX-License-Identifier: Apache-2.0
#include "engine/progress.hpp"

#include <gtest/gtest.h>

#include "hand_made.hpp"

namespace espalier::progress_test {
namespace {

using namespace hand_made;

const Region message = blocks_of(Buffer::output, 1);

// Takes messages until none may be posted: "operation.item operation.item".
std::string take_messages(Progress& progress) {
  std::string taken;
  for (Item item; progress.take_message(item);) {
    taken += (taken.empty() ? "" : " ") + std::to_string(item.operation) + "." + std::to_string(item.index);
  }
  return taken;
}

std::string do_local(Progress& progress) {
  Item item;
  if (!progress.take_local(item)) return "";
  progress.complete_local(item);
  return std::to_string(item.operation) + "." + std::to_string(item.index);
}

void complete(Progress& progress, std::uint32_t operation, int item) {
  progress.complete(progress.token_of({operation, item}));
}

TEST(Progress, posts_as_many_items_as_the_window_allows) {
  Script script;
  script.recv(1, message);
  Watched watched(script.schedule(), 5, 2);
  Progress& progress = watched.progress;
  progress.restart();
  EXPECT_EQ(take_messages(progress), "0.0 0.1");
  complete(progress, 0, 0);
  EXPECT_EQ(take_messages(progress), "0.2");
}

TEST(Progress, posts_streams_that_keep_in_step_in_turn) {
  Script script;
  script.send(1, message, {in_step_with(1)});
  script.send(2, message, {in_step_with(0)});
  Watched watched(script.schedule(), 9, 3);
  Progress& progress = watched.progress;
  progress.restart();
  EXPECT_EQ(take_messages(progress), "0.0 1.0 0.1 1.1 0.2 1.2") << "though each has room for three";
  complete(progress, 0, 0);
  EXPECT_EQ(take_messages(progress), "0.3") << "the other one has none left";
  complete(progress, 0, 1);
  EXPECT_EQ(take_messages(progress), "");
  complete(progress, 1, 0);
  EXPECT_EQ(take_messages(progress), "1.3 0.4");
}

TEST(Progress, counts_a_prefix_when_messages_complete_out_of_order) {
  Script script;
  script.recv(1, message);
  script.send(2, message, {after(0)});
  Watched watched(script.schedule(), 3, 3);
  Progress& progress = watched.progress;
  progress.restart();
  EXPECT_EQ(take_messages(progress), "0.0 0.1 0.2");
  complete(progress, 0, 2);
  complete(progress, 0, 1);
  EXPECT_EQ(progress.done(0), 0);
  EXPECT_EQ(take_messages(progress), "");
  complete(progress, 0, 0);
  EXPECT_EQ(progress.done(0), 3);
  EXPECT_EQ(take_messages(progress), "1.0 1.1 1.2");
}

TEST(Progress, grants_the_window_to_each_operation_on_its_own) {
  Script script;
  for (Rank peer = 1; peer <= 4; ++peer) script.send(peer, message);
  Watched watched(script.schedule(), 2, 1);
  Progress& progress = watched.progress;
  progress.restart();
  EXPECT_EQ(take_messages(progress), "0.0 1.0 2.0 3.0");
}

TEST(Progress, forwards_what_came_in_before_it_posts_the_next_receive) {
  Script script;
  script.recv(0, message);
  script.send(2, message, {after(0)});
  Watched watched(script.schedule(), 9, 1);
  Progress& progress = watched.progress;
  progress.restart();
  EXPECT_EQ(take_messages(progress), "0.0");
  complete(progress, 0, 0);
  EXPECT_EQ(take_messages(progress), "1.0 0.1");
}

TEST(Progress, takes_an_item_through_all_local_work_before_the_next_one) {
  Script script;
  script.recv(1, message);
  const Region slots = slots_of(script.area(Area::Kind::slots, 1), 1);
  script.reduce(message, slots, message, {after(0)});
  script.reduce(message, slots, message, {after(1)});
  Watched watched(script.schedule(), 2, 2);
  Progress& progress = watched.progress;
  progress.restart();
  (void)take_messages(progress);
  complete(progress, 0, 0);
  complete(progress, 0, 1);
  EXPECT_EQ(do_local(progress), "1.0");
  EXPECT_EQ(do_local(progress), "2.0");
  EXPECT_EQ(do_local(progress), "1.1");
  EXPECT_EQ(do_local(progress), "2.1");
  EXPECT_TRUE(progress.finished());
}

TEST(Progress, keeps_a_ring_of_slots_from_being_overrun) {
  Script script;
  const Region ring = slots_of(script.area(Area::Kind::ring, 1), 1);
  script.recv(1, ring, {lagging(1)});
  script.reduce(message, ring, message, {after(0)});
  Watched watched(script.schedule(), 4, 2);
  Progress& progress = watched.progress;
  progress.restart();
  EXPECT_EQ(take_messages(progress), "0.0 0.1");
  complete(progress, 0, 0);
  EXPECT_EQ(take_messages(progress), "");  // both slots are full
  EXPECT_EQ(do_local(progress), "1.0");
  EXPECT_EQ(take_messages(progress), "0.2");
}

TEST(Progress, lets_no_stream_get_ahead_of_one_that_it_keeps_in_step_with) {
  Script script;
  script.send(1, message, {lagging(1)});
  script.send(2, message, {lagging(0)});
  Watched watched(script.schedule(), 5, 2);
  Progress& progress = watched.progress;
  progress.restart();
  EXPECT_EQ(take_messages(progress), "0.0 0.1 1.0 1.1");
  complete(progress, 0, 0);
  complete(progress, 0, 1);
  EXPECT_EQ(take_messages(progress), "");
  complete(progress, 1, 0);
  EXPECT_EQ(take_messages(progress), "0.2 1.2");
}

TEST(Progress, waits_for_the_shifted_block_and_for_whole_operations) {
  Script script(3);
  script.recv(1, blocks_of(Buffer::output, 3));
  script.send(2, blocks_of(Buffer::output, 2), {after(0, 1)});
  script.send(3, blocks_of(Buffer::output, 1), {after_all_of(0)});
  Watched watched(script.schedule(), 2, 6);
  Progress& progress = watched.progress;
  progress.restart();
  EXPECT_EQ(take_messages(progress), "0.0 0.1 0.2 0.3 0.4 0.5");
  for (int item = 0; item < 3; ++item) complete(progress, 0, item);
  EXPECT_EQ(take_messages(progress), "1.0");
  complete(progress, 0, 3);
  complete(progress, 0, 4);
  EXPECT_EQ(take_messages(progress), "1.1 1.2");
  complete(progress, 0, 5);
  EXPECT_EQ(take_messages(progress), "1.3 2.0 2.1");
}

TEST(Progress, posts_operations_that_share_a_channel_in_order) {
  Script script(2);
  script.send(1, blocks_of(Buffer::output, 2));
  script.send(1, blocks_of(Buffer::output, 1), {after_posting(0)});
  Watched watched(script.schedule(), 1, 1);
  Progress& progress = watched.progress;
  progress.restart();
  EXPECT_EQ(take_messages(progress), "0.0");
  complete(progress, 0, 0);
  EXPECT_EQ(take_messages(progress), "0.1 1.0");  // posted, not done
}

TEST(Progress, is_finished_at_once_without_operations_and_starts_afresh_every_time) {
  const Schedule empty;
  Watched of_nothing(empty, 1, 1);
  Progress& nothing = of_nothing.progress;
  nothing.restart();
  EXPECT_TRUE(nothing.finished());

  Script script;
  script.recv(1, message);
  Watched watched(script.schedule(), 1, 4);
  Progress& progress = watched.progress;
  for (int round = 0; round < 2; ++round) {
    progress.restart();
    EXPECT_FALSE(progress.finished());
    EXPECT_EQ(take_messages(progress), "0.0");
    complete(progress, 0, 0);
    EXPECT_TRUE(progress.finished());
  }
}

TEST(Progress, needs_no_more_tokens_than_items_can_be_under_way) {
  Script script;
  script.recv(1, message);
  script.send(2, message, {after(0)});
  EXPECT_EQ(Watched(script.schedule(), 1, 8).progress.tokens(), 2U);
  EXPECT_EQ(Watched(script.schedule(), 100, 8).progress.tokens(), 16U);
}

}  // namespace
}  // namespace espalier::progress_test
