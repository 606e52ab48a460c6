// SPDX-License-Identifier: Apache-2.0
#include "../checks.hpp"

namespace espalier::layout_check_test {
namespace {

using namespace hand_made;
using namespace checks;

TEST(LayoutCheck, passes_hand_made_schedules_for_awkward_messages) {
  const Case problem{Collective::allreduce, 5};
  const Schedules ranks = schedules_of(5, ring_allreduce);
  const proof::AllRanks all(problem, ranks);
  for (const std::size_t elements : {0, 1, 4, 5, 6, 99, 1000}) {
    for (const int segments : {1, 2, 7}) {
      for (const int window : {1, 3, 9}) {
        for (const std::size_t granule : {1, 4, 64}) {
          const Partition partition({5, elements, segments, granule});
          EXPECT_EQ(proof::check_layout(all, std::vector(5, partition), window), "");
        }
      }
    }
  }
}

// One slot holds a block and then another one. All is ordered, cell by cell; but the second block is shorter, so its
// segments do not begin where the first one's did: item 1 of one overlaps item 0 of the other.
TEST(LayoutCheck, finds_a_slot_that_is_used_again_for_a_block_of_another_size) {
  Script script(2);
  const int area = script.area(Area::Kind::slots, 1);
  script.copy(slots_of(area, 1, {0}), blocks_of(Buffer::input, 1, {0}));
  script.copy(blocks_of(Buffer::output, 1, {0}), slots_of(area, 1, {0}), {after(0)});
  script.copy(slots_of(area, 1, {1}), blocks_of(Buffer::input, 1, {1}), {after(1)});
  script.copy(blocks_of(Buffer::output, 1, {1}), slots_of(area, 1, {1}), {after(2)});
  expect_only({Collective::allreduce, 1}, {script.schedule()}, {3, 2}, "layout", "two cells overlap in scratch memory");
}

// A packed area's slots are as long as their blocks.
TEST(Structure, refuses_a_packed_area_that_is_used_again_for_other_blocks) {
  Script script(4);
  const int area = script.area(Area::Kind::packed, 2);
  script.copy(slots_of(area, 2, {0}), blocks_of(Buffer::input, 2, {0}));
  script.copy(blocks_of(Buffer::output, 2, {0}), slots_of(area, 2, {0}), {after(0)});
  script.copy(slots_of(area, 2, {2}), blocks_of(Buffer::input, 2, {2}), {after_all_of(1)});
  script.copy(blocks_of(Buffer::output, 2, {2}), slots_of(area, 2, {2}), {after(2)});
  const Schedules ranks{script.schedule()};
  expect_only({Collective::allreduce, 1}, ranks, {1, 1}, "structure", "block 2 lies in the slot of block 0");
}

}  // namespace
}  // namespace espalier::layout_check_test
