// SPDX-License-Identifier: Apache-2.0
#include "schedule/layout.hpp"

#include <gtest/gtest.h>

#include <optional>

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

// A schedule of one operation, bound to a message.
class Bound {
 public:
  Bound(Schedule schedule, const Operation& op, const Partition::Even& even, int window = 1)
      : schedule_(std::move(schedule)), partition_(even) {
    schedule_.operations = {op};
    layout_.emplace(schedule_, partition_, window);
  }

  [[nodiscard]] const Layout& layout() const { return *layout_; }
  [[nodiscard]] int items() const { return layout_->items().count(0); }
  [[nodiscard]] Extent extent(int item) const { return layout_->extent(0, schedule_.operations[0].target, item); }

 private:
  Schedule schedule_;
  Partition partition_;
  std::optional<Layout> layout_;
};

Schedule in_blocks(int blocks) {
  Schedule schedule;
  schedule.blocks = blocks;
  return schedule;
}

TEST(Layout, blocks_and_segments_tile_the_message_whatever_its_length) {
  for (const std::size_t elements : {0, 1, 2, 5, 63, 64, 1000, 4097}) {
    for (const int blocks : {1, 3, 7}) {
      for (const int segments : {1, 2, 5}) {
        for (const std::size_t granule : {1, 8, 64}) {
          const Operation op = receive(buffer_region(Buffer::output, 0, blocks, 1, blocks));
          const Bound bound(in_blocks(blocks), op, {blocks, elements, segments, granule}, 2);
          std::size_t end = 0;
          for (int item = 0; item < bound.items(); item++) {
            const Extent extent = bound.extent(item);
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
  const Bound all(in_blocks(5), receive(buffer_region(Buffer::output, 1, 3, 1, 5), true), {5, 1003});
  const Bound one(in_blocks(5), receive(buffer_region(Buffer::output, 4, 1, 1, 5), true), {5, 1003});
  const Extent extent = all.extent(0);
  EXPECT_EQ(extent.offset, 1003 / 5);
  EXPECT_EQ(extent.offset + extent.length, one.extent(0).offset);
}

TEST(Layout, ring_slots_are_used_in_turn) {
  Schedule schedule;
  schedule.areas = {{Area::Kind::ring, 1, {}}};
  const Bound ring(schedule, receive({Buffer::scratch, 0, 1, {0, 1, 0}, {0, 1, 1}}), {1, 1000, 7}, 3);
  EXPECT_EQ(ring.extent(0).offset, ring.extent(3).offset);
  EXPECT_EQ(ring.extent(1).offset, ring.extent(4).offset);
  EXPECT_EQ(ring.layout().scratch_elements(), 3 * 143U);  // three of the largest segment
}

TEST(Layout, packed_blocks_of_unequal_size_follow_one_another) {
  const Walk labels{1, 1, 3};  // holds blocks 1, 2, 0
  Schedule schedule = in_blocks(3);
  schedule.areas = {{Area::Kind::packed, 3, labels}};
  const Bound packed(schedule, receive({Buffer::scratch, 0, 3, {0, 1, 0}, labels}), {3, 10});  // of 3, 3 and 4 elements
  const Extent first = packed.extent(0), second = packed.extent(1), third = packed.extent(2);
  EXPECT_EQ(first.offset + first.length, second.offset);
  EXPECT_EQ(second.offset + second.length, third.offset);
  EXPECT_EQ(first.length + second.length + third.length, 10U);
}

TEST(Layout, packed_blocks_in_any_order_follow_one_another) {
  const std::vector<std::int32_t> list{2, 0, 3};
  const Walk labels{.first = 0, .list = &list};
  Schedule schedule = in_blocks(4);
  schedule.areas = {{Area::Kind::packed, 3, labels}};
  const Region region{Buffer::scratch, 0, 3, {0, 1, 0}, labels};
  const Bound packed(schedule, receive(region), {4, 11}), merged(schedule, receive(region, true), {4, 11});
  std::size_t end = 0;
  for (const int item : {0, 1, 2}) {
    EXPECT_EQ(packed.extent(item).offset, end);
    end += packed.extent(item).length;
  }
  EXPECT_EQ(end, 11U - packed.layout().partition().size(1));
  EXPECT_EQ(merged.extent(0).length, end);
  EXPECT_EQ(packed.layout().scratch_elements(), end);
}

TEST(Layout, messages_beyond_four_gibibytes_do_not_overflow) {
  const std::size_t elements = std::size_t{1} << 45;
  const Bound bound(in_blocks(1000), receive(buffer_region(Buffer::output, 999, 1, 1, 1000)), {1000, elements, 4}, 4);
  const Extent last = bound.extent(3);
  EXPECT_EQ(last.offset + last.length, elements);
}

}  // namespace
}  // namespace espalier
