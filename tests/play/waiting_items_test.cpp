// SPDX-License-Identifier: Apache-2.0
#include "play/waiting_items.hpp"

#include <gtest/gtest.h>

namespace espalier::waiting_items_test {
namespace {

WaitingItem numbered(std::uint32_t number) { return {{.operation = 1, .index = static_cast<int>(number)}, number}; }

TEST(WaitingItems, come_in_order_however_many_there_are) {
  WaitingItems waiting;
  std::uint32_t pushed = 0, popped = 0;
  for (const std::uint32_t many : {1U, 3U, 20U, 2U, 9U}) {
    for (std::uint32_t k = 0; k < many; ++k) waiting.push(numbered(pushed++), true);
    for (std::uint32_t k = 0; k < (many + 1) / 2; ++k) EXPECT_EQ(waiting.pop().number, popped++);
  }
  while (!waiting.empty()) EXPECT_EQ(waiting.pop().number, popped++);
  EXPECT_EQ(popped, pushed);
}

TEST(WaitingItems, are_of_the_side_that_posted_first) {
  WaitingItems waiting;
  waiting.push(numbered(0), true);
  EXPECT_TRUE(waiting.are_sends());
  (void)waiting.pop();
  EXPECT_TRUE(waiting.empty());
  waiting.push(numbered(1), false);
  EXPECT_FALSE(waiting.are_sends());
}

}  // namespace
}  // namespace espalier::waiting_items_test
