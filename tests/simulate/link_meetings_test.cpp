// SPDX-License-Identifier: Apache-2.0
#include "simulate/link_meetings.hpp"

#include <gtest/gtest.h>

#include <array>

namespace espalier::link_meetings_test {
namespace {

constexpr std::array<int, 2> first = {0, 1}, second = {1, 2};

TEST(LinkMeetings, counts_links_that_two_messages_use_at_a_time) {
  LinkMeetings meetings(3);
  meetings.enter(first);
  meetings.enter(second);
  meetings.leave(first);
  meetings.leave(second);
  EXPECT_EQ(meetings.count(), 1);
}

TEST(LinkMeetings, does_not_count_links_that_one_message_uses_after_the_other) {
  LinkMeetings meetings(3);
  meetings.enter(first);
  meetings.leave(first);
  meetings.enter(second);
  EXPECT_EQ(meetings.count(), 0);
}

}  // namespace
}  // namespace espalier::link_meetings_test
