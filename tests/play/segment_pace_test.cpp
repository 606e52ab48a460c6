// SPDX-License-Identifier: Apache-2.0
#include "play/segment_pace.hpp"

#include <gtest/gtest.h>

namespace espalier::segment_pace_test {
namespace {

// A line of ranks: each segment takes a second for a hop, and follows the one before it after half a second.
SegmentPace line(int segments, int hops) {
  SegmentPace pace(segments);
  for (int hop = 1; hop <= hops; ++hop) {
    for (int segment = 0; segment < segments; ++segment) pace.arrived(segment, hop + 0.5 * segment);
  }
  return pace;
}

TEST(SegmentPace, is_what_each_segment_takes_while_a_pipeline_is_full) {
  const SteadyPace pace = line(100, 10).steady();
  EXPECT_DOUBLE_EQ(pace.seconds, 0.5);
  EXPECT_DOUBLE_EQ(pace.earlier, 0.5);
}

TEST(SegmentPace, leaves_out_how_it_begins_and_how_it_ends) {
  SegmentPace pace(100);
  const auto time_of = [](int segment) { return segment < 20 ? 3.0 * segment : segment < 98 ? 40.0 + segment : 139.0; };
  for (int segment = 0; segment < 100; ++segment) pace.arrived(segment, time_of(segment));
  EXPECT_DOUBLE_EQ(pace.steady().seconds, 1);
  EXPECT_DOUBLE_EQ(pace.steady().earlier, 1);
}

TEST(SegmentPace, says_how_many_segments_are_under_way) { EXPECT_DOUBLE_EQ(line(100, 10).steady().under_way, 20); }

TEST(SegmentPace, is_none_where_blocks_go_as_a_whole) {
  SegmentPace pace(100);
  for (int hop = 1; hop <= 10; ++hop) pace.arrived(0, hop);
  EXPECT_EQ(pace.steady().segments, 0);
}

TEST(SegmentPace, is_none_of_a_pipeline_that_was_never_full) {
  const SteadyPace pace = line(10, 10).steady();
  EXPECT_EQ(pace.segments, 0);
  EXPECT_DOUBLE_EQ(pace.under_way, 20);
}

}  // namespace
}  // namespace espalier::segment_pace_test
