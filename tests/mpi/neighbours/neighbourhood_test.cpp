// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/neighbourhood.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

using Numbers = std::vector<int>;

TEST(Turns, blocks_of_one_peer_meet_one_after_the_other) {
  EXPECT_EQ(turns_of({3, 1, 3, 3, 1}, MeetingOrder::in_order), (Numbers{0, 0, 1, 2, 1}));
  EXPECT_EQ(turns_of({3, 1, 3, 3, 1}, MeetingOrder::reversed), (Numbers{2, 1, 1, 0, 0}));
}

// Both neighbours in a dimension of two ranks are the same one: what it sends down comes from above.
TEST(Turns, what_is_sent_down_is_received_from_above) {
  EXPECT_EQ(turns_of({5, 5}, MeetingOrder::in_order), (Numbers{0, 1}));
  EXPECT_EQ(turns_of({5, 5}, MeetingOrder::by_dimension), (Numbers{1, 0}));
  EXPECT_EQ(turns_of({5, 5, 5, 5}, MeetingOrder::by_dimension), (Numbers{1, 0, 3, 2}));
}

TEST(Turns, nobody_has_no_neighbours) { EXPECT_EQ(turns_of({}, MeetingOrder::in_order), Numbers{}); }

}  // namespace
}  // namespace espalier
