// SPDX-License-Identifier: Apache-2.0
#include "core/linked.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <thread>
#include <vector>

namespace espalier::linked_test {
namespace {

struct Thing : Linked<Thing> {
  explicit Thing(int of_whom) : name(of_whom) {}
  int name;
};

class Linking : public testing::Test {
 protected:
  Thing& make(int name) { return things_.emplace_back(name); }
  static std::vector<int> taken_from(Inbox<Thing>& inbox) {
    std::vector<int> names;
    inbox.take_all([&](const Thing& thing) { names.push_back(thing.name); });
    return names;
  }

 private:
  std::deque<Thing> things_;
};

using QueueTest = Linking;
using InboxTest = Linking;

TEST_F(QueueTest, gives_back_in_the_order_of_entry) {
  Queue<Thing> queue;
  for (int name = 0; name < 3; ++name) queue.push(make(name));
  EXPECT_EQ(queue.size(), 3u);
  for (int name = 0; name < 3; ++name) EXPECT_EQ(queue.pop().name, name);
  queue.push(make(3));
  EXPECT_EQ(queue.pop().name, 3);
  EXPECT_EQ(queue.size(), 0u);
}

TEST_F(QueueTest, loses_whatever_is_removed) {
  for (int removed = 0; removed < 3; ++removed) {
    Queue<Thing> queue;
    std::vector<Thing*> all;
    for (int name = 0; name < 3; ++name) queue.push(*all.emplace_back(&make(name)));
    EXPECT_TRUE(queue.remove(*all[static_cast<std::size_t>(removed)]));
    EXPECT_FALSE(queue.remove(*all[static_cast<std::size_t>(removed)]));
    queue.push(make(9));
    std::vector<int> left;
    while (queue.size() > 0) left.push_back(queue.pop().name);
    std::vector<int> expected{0, 1, 2, 9};
    expected.erase(expected.begin() + removed);
    EXPECT_EQ(left, expected);
  }
}

TEST_F(QueueTest, can_be_filled_again_once_its_only_one_was_removed) {
  Queue<Thing> queue;
  Thing& only = make(1);
  queue.push(only);
  EXPECT_TRUE(queue.remove(only));
  queue.push(make(2));
  EXPECT_EQ(queue.pop().name, 2);
}

TEST_F(InboxTest, is_taken_in_the_order_of_leaving) {
  Inbox<Thing> inbox;
  EXPECT_TRUE(taken_from(inbox).empty());
  for (int name = 0; name < 4; ++name) inbox.leave(make(name));
  EXPECT_EQ(taken_from(inbox), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_TRUE(taken_from(inbox).empty());
}

TEST_F(InboxTest, may_be_filled_with_a_thing_that_is_just_being_taken) {
  Inbox<Thing> inbox;
  for (int name = 0; name < 2; ++name) inbox.leave(make(name));
  int taken = 0;
  inbox.take_all([&](Thing& thing) { ++taken, inbox.leave(thing); });
  EXPECT_EQ(taken, 2);
  EXPECT_EQ(taken_from(inbox), (std::vector<int>{0, 1}));
}

TEST_F(InboxTest, loses_nothing_of_many_threads) {
  constexpr int each = 20000;
  std::vector<Thing> left;
  left.reserve(2 * each);
  for (int name = 0; name < 2 * each; ++name) left.emplace_back(name);
  Inbox<Thing> inbox;
  const auto leave_from = [&](int first) {
    for (int k = 0; k < each; ++k) inbox.leave(left[static_cast<std::size_t>(first + k)]);
  };
  std::thread one(leave_from, 0), other(leave_from, each);
  std::vector<int> latest{-1, each - 1};  // of each thread
  for (int taken = 0; taken < 2 * each;) {
    inbox.take_all([&](const Thing& thing) {
      int& before = latest[thing.name < each ? 0 : 1];
      EXPECT_EQ(thing.name, before + 1);
      before = thing.name;
      ++taken;
    });
  }
  one.join();
  other.join();
}

}  // namespace
}  // namespace espalier::linked_test
