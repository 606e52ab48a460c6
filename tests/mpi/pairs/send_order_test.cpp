// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/send_order.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace espalier {
namespace {

using Numbers = std::vector<int>;

template <std::size_t most = 4>
struct Trace {
  void add(int turn, int number) { order.add(turn, handles.emplace_back(number)); }
  int start() {
    return order.start([&](const int* handle) {
      started.push_back(*handle);
      return *handle == failing ? 5 : 0;
    });
  }
  std::vector<int> handles = [] {
    Numbers made;
    made.reserve(2 * most);
    return made;
  }();
  SendOrder<int, most> order;
  Numbers started;
  int failing = -1;
};

TEST(SendOrder, starts_nothing_where_nothing_was_added) {
  Trace trace;
  EXPECT_EQ(trace.start(), 0);
  EXPECT_EQ(trace.started, Numbers{});
}

TEST(SendOrder, starts_by_turn_whatever_the_order_of_adding) {
  Trace trace;
  for (const int turn : {3, 1, 0, 2}) trace.add(turn, 10 + turn);
  EXPECT_TRUE(trace.order.is_full());
  EXPECT_EQ(trace.start(), 0);
  EXPECT_EQ(trace.started, (Numbers{10, 11, 12, 13}));
}

TEST(SendOrder, starts_those_without_a_turn_first) {
  Trace trace;
  trace.add(0, 1);
  trace.add(-1, 2);
  EXPECT_EQ(trace.start(), 0);
  EXPECT_EQ(trace.started, (Numbers{2, 1}));
}

TEST(SendOrder, ends_with_the_first_that_fails) {
  Trace trace;
  for (int turn = 0; turn < 3; ++turn) trace.add(turn, turn);
  trace.failing = 1;
  EXPECT_EQ(trace.start(), 5);
  EXPECT_EQ(trace.started, (Numbers{0, 1}));
}

TEST(SendOrder, forgets_what_it_has_started_or_aborted) {
  Trace trace;
  for (int turn = 0; turn < 4; ++turn) trace.add(turn, turn);
  trace.failing = 0;
  EXPECT_EQ(trace.start(), 5);
  EXPECT_FALSE(trace.order.is_full());
  EXPECT_EQ(trace.start(), 0);
  trace.add(0, 7);
  EXPECT_EQ(trace.start(), 0);
  EXPECT_EQ(trace.started, (Numbers{0, 7}));
}

}  // namespace
}  // namespace espalier
