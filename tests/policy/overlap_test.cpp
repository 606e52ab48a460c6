// SPDX-License-Identifier: Apache-2.0
#include "policy/overlap.hpp"

#include <gtest/gtest.h>

namespace espalier::overlap_test {
namespace {

TEST(Overlap, is_where_ranks_leave_at_different_times) {
  for (const Collective collective :
       {Collective::bcast, Collective::reduce, Collective::gather, Collective::scatter, Collective::scan}) {
    EXPECT_TRUE(calls_overlap(collective, 4096));
    EXPECT_FALSE(calls_overlap(collective, 4095));
  }
  for (const Collective collective : {Collective::allreduce, Collective::alltoall, Collective::allgather}) {
    EXPECT_FALSE(calls_overlap(collective, 1 << 20));
  }
}

TEST(Meetings, share_out_what_was_waited_among_the_calls_since_the_last_one) {
  Meetings meetings;
  meetings.note(8, 3, 1);
  EXPECT_EQ(meetings.first(), 0U);
  EXPECT_EQ(meetings.waited_per_call(), .25);
  EXPECT_FALSE(meetings.is_due(8));
  EXPECT_TRUE(meetings.is_due(9));
  meetings.note(10, 5, 1);
  EXPECT_EQ(meetings.first(), 8U);
  EXPECT_EQ(meetings.waited_per_call(), 2);
  EXPECT_EQ(meetings.take_count(), 2);
  EXPECT_EQ(meetings.take_count(), 0);
}

TEST(Meetings, that_are_faster_than_ever_were_not_waited_in) {
  Meetings meetings;
  meetings.note(4, .5, 1);
  EXPECT_EQ(meetings.waited_per_call(), 0);
}

}  // namespace
}  // namespace espalier::overlap_test
