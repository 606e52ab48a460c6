// SPDX-License-Identifier: Apache-2.0
#include "play/event_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <vector>

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

TEST(EventQueue, knows_what_comes_a_few_events_ahead_or_says_nothing) {
  EventQueue<int> queue;
  for (int event = 0; event < 200; ++event) queue.push(time_of(event), event);
  (void)queue.pop();                                  // the first one is alone in its span
  std::vector<std::pair<std::ptrdiff_t, int>> known;  // after how many that had been handed out
  std::vector<int> order;
  while (!queue.empty()) {
    if (const int* ahead = queue.ahead(3)) known.emplace_back(std::ssize(order), *ahead);
    order.push_back(queue.pop());
  }
  EXPECT_GT(known.size(), 50U);
  for (const auto& [handed, event] : known) EXPECT_EQ(order.at(static_cast<std::size_t>(handed) + 3), event);
  EXPECT_EQ(queue.ahead(0), nullptr);
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

// As a run does: what is handed out plans something soon, now and then at the same time or much later.
TEST(EventQueue, hands_out_as_an_ordered_set_does_what_a_run_of_many_ranks_plans) {
  EventQueue<int> queue;
  std::set<std::tuple<double, int, int>> expected;
  std::mt19937 random(7);
  int planned = 0;
  const auto plan = [&](double seconds) {
    expected.emplace(seconds, planned, planned);
    queue.push(seconds, planned++);
  };
  for (int rank = 0; rank < 5000; ++rank) plan(0);
  for (int handed = 0; handed < 200000; ++handed) {
    const auto [seconds, number, event] = *expected.begin();
    expected.erase(expected.begin());
    ASSERT_EQ(queue.next(), seconds);
    ASSERT_EQ(queue.pop(), event);
    constexpr double delays[] = {0, 1e-9, 1.27e-6, 1.27e-6, 34e-6, 1e-3};
    if (handed < 150000 || random() % 2 == 0) plan(seconds + delays[random() % std::size(delays)]);
    if (queue.empty()) break;
  }
  EXPECT_EQ(queue.empty(), expected.empty());
}

}  // namespace
}  // namespace espalier::event_queue_test
