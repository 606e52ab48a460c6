// SPDX-License-Identifier: Apache-2.0
#include "schedule/layout.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

Region buffer_region(Buffer buffer, int first, int blocks, int step, int modulus) {
  return {buffer, -1, blocks, {first, step, modulus}, {first, step, modulus}};
}

Operation receive(const Region& target, bool merged = false) {
  Operation op;
  op.kind = Operation::Kind::recv;
  op.merged = merged;
  op.target = target;
  return op;
}

TEST(Layout, blocks_and_segments_tile_the_message_whatever_its_length) {
  for (const std::size_t elements : {0, 1, 2, 5, 63, 64, 1000, 4097}) {
    for (const int blocks : {1, 3, 7}) {
      for (const int segments : {1, 2, 5}) {
        for (const std::size_t granule : {1, 8, 64}) {
          Schedule schedule;
          schedule.blocks = blocks;
          const Layout layout(schedule, elements, segments, 2, granule);
          const Operation op = receive(buffer_region(Buffer::output, 0, blocks, 1, blocks));
          std::size_t end = 0;
          for (int item = 0; item < op.items(segments); item++) {
            const Extent extent = layout.extent(op, op.target, item);
            EXPECT_EQ(extent.offset, end);
            end = extent.offset + extent.length;
          }
          EXPECT_EQ(end, elements);
        }
      }
    }
  }
}

TEST(Layout, merged_item_covers_all_its_blocks) {
  Schedule schedule;
  schedule.blocks = 5;
  const Layout layout(schedule, 1003, 1, 1);
  const Operation all = receive(buffer_region(Buffer::output, 1, 3, 1, 5), true);
  const Operation one = receive(buffer_region(Buffer::output, 4, 1, 1, 5), true);
  const Extent extent = layout.extent(all, all.target, 0);
  EXPECT_EQ(extent.offset, 1003 / 5);
  EXPECT_EQ(extent.offset + extent.length, layout.extent(one, one.target, 0).offset);
}

TEST(Layout, ring_slots_are_used_in_turn) {
  Schedule schedule;
  schedule.areas = {{Area::Kind::ring, 1}};
  const Layout layout(schedule, 1000, 7, 3);
  const Operation op = receive({Buffer::scratch, 0, 1, {0, 1, 0}, {0, 1, 1}});
  EXPECT_EQ(layout.extent(op, op.target, 0).offset, layout.extent(op, op.target, 3).offset);
  EXPECT_EQ(layout.extent(op, op.target, 1).offset, layout.extent(op, op.target, 4).offset);
  EXPECT_EQ(layout.scratch_elements(), 3 * 143U);  // three of the largest segment
}

TEST(Layout, packed_blocks_of_unequal_size_follow_one_another) {
  Schedule schedule;
  schedule.blocks = 3;
  schedule.areas = {{Area::Kind::packed, 3}};
  const Layout layout(schedule, 10, 1, 1);                           // blocks of 3, 3 and 4 elements
  const Region region{Buffer::scratch, 0, 3, {0, 1, 0}, {1, 1, 3}};  // holds blocks 1, 2, 0
  const Operation op = receive(region);
  const Extent first = layout.extent(op, region, 0);
  const Extent second = layout.extent(op, region, 1);
  const Extent third = layout.extent(op, region, 2);
  EXPECT_EQ(first.offset + first.length, second.offset);
  EXPECT_EQ(second.offset + second.length, third.offset);
  EXPECT_EQ(first.length + second.length + third.length, 10U);
}

TEST(Layout, messages_beyond_four_gibibytes_do_not_overflow) {
  Schedule schedule;
  schedule.blocks = 1000;
  const std::size_t elements = std::size_t{1} << 45;
  const Layout layout(schedule, elements, 4, 4);
  const Operation op = receive(buffer_region(Buffer::output, 999, 1, 1, 1000));
  const Extent last = layout.extent(op, op.target, 3);
  EXPECT_EQ(last.offset + last.length, elements);
}

TEST(SegmentsFor, rounds_up_and_takes_zero_as_none) {
  EXPECT_EQ(segments_for(1000, 1, 0), 1);
  EXPECT_EQ(segments_for(0, 4, 100), 1);
  EXPECT_EQ(segments_for(1000, 1, 100), 10);
  EXPECT_EQ(segments_for(1001, 1, 100), 11);
  EXPECT_EQ(segments_for(1000, 4, 100), 3);
}

}  // namespace
}  // namespace espalier
