// SPDX-License-Identifier: Apache-2.0
#include "play/event_queue.hpp"

#include <gtest/gtest.h>

namespace espalier::event_queue_test {
namespace {

// Times that are often equal.
double time_of(int event) { return event * 7919 % 101; }

TEST(EventQueue, hands_out_events_by_time_and_equal_ones_in_the_order_in_which_they_were_planned) {
  constexpr int events = 1000;
  EventQueue<int> queue;
  for (int event = 0; event < events; ++event) queue.push(time_of(event), event);
  for (int handed = 0, last = 0; handed < events; ++handed) {
    const double time = queue.next();
    const int event = queue.pop();
    EXPECT_EQ(time_of(event), time);
    if (handed > 0) {
      EXPECT_LT(std::pair(time_of(last), last), std::pair(time_of(event), event));
    }
    last = event;
  }
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, knows_the_second_event) {
  EventQueue<int> queue;
  for (int event = 0; event < 200; ++event) queue.push(time_of(event), event);
  while (queue.size() > 1) {
    const int second = queue.second_event();
    (void)queue.pop();
    EXPECT_EQ(queue.next_event(), second);
  }
}

TEST(EventQueue, takes_further_events_while_it_hands_them_out) {
  EventQueue<int> queue;
  queue.push(1, 1);
  queue.push(3, 3);
  EXPECT_EQ(queue.pop(), 1);
  queue.push(2, 2);
  EXPECT_EQ(queue.pop(), 2);
  EXPECT_EQ(queue.pop(), 3);
}

}  // namespace
}  // namespace espalier::event_queue_test
