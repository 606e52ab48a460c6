// SPDX-License-Identifier: Apache-2.0
#include "algorithms/plan.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

Problem floats(Collective collective, std::size_t count) {
  return {.collective = collective, .count = count, .element_bytes = 4, .arithmetic = Arithmetic::commutative};
}

Schedule schedule_of(const Choice& choice, const Problem& problem, Rank size) {
  return build_schedule(*choice.algorithm, request_for(choice, problem, {size}, 0));
}

TEST(Plan, cuts_each_block_of_a_ring_in_segments) {
  const Choice choice{.algorithm = find_algorithm(Collective::allreduce, "ring"),
                      .cut = {.segment_bytes = 1024, .window = 3}};
  const Problem problem = floats(Collective::allreduce, 4096);  // 16 KiB in 4 blocks of 4 KiB
  const Partition partition = partition_for(choice, problem, schedule_of(choice, problem, 4));
  EXPECT_EQ(partition.segments(), 4);
  EXPECT_EQ(partition.max_segment(), 256u);
}

TEST(Plan, cuts_blocks_by_length_where_the_algorithm_does_so_and_then_in_one_segment) {
  const Choice choice{.algorithm = find_algorithm(Collective::bcast, "circulant"), .cut = {.segment_bytes = 1024}};
  const Problem problem{.collective = Collective::bcast, .count = 10 * 1024 + 1};
  EXPECT_EQ(request_for(choice, problem, {4}, 0).pieces, 11);
  const Schedule schedule = schedule_of(choice, problem, 4);
  EXPECT_EQ(schedule.blocks, 11);
  EXPECT_EQ(partition_for(choice, problem, schedule).segments(), 1);
}

TEST(Plan, does_not_cut_when_the_segment_size_is_zero_or_the_message_is_empty) {
  const Algorithm* chain = find_algorithm(Collective::bcast, "chain");
  const Problem large{.collective = Collective::bcast, .count = 1 << 20};
  const Choice whole{.algorithm = chain, .cut = {.segment_bytes = 0}};
  EXPECT_EQ(partition_for(whole, large, schedule_of(whole, large, 3)).segments(), 1);
  const Problem empty{.collective = Collective::bcast, .count = 0};
  const Choice cut{.algorithm = chain, .cut = {.segment_bytes = 1}};
  EXPECT_EQ(request_for(cut, empty, {3}, 0).pieces, 1);
  EXPECT_EQ(partition_for(cut, empty, schedule_of(cut, empty, 3)).segments(), 1);
}

TEST(Plan, keeps_cache_lines_whole_where_elements_divide_them) {
  const Choice choice{.algorithm = find_algorithm(Collective::reduce, "chain"), .cut = {}};
  const auto granule = [&](std::size_t element_bytes) {
    const Problem problem{.collective = Collective::reduce, .count = 1000, .element_bytes = element_bytes};
    return partition_of(problem, schedule_of(choice, problem, 2), 1000, 1000).max_segment();  // nearly an element each
  };
  EXPECT_EQ(granule(1), 64u);
  EXPECT_EQ(granule(8), 8u);
  EXPECT_EQ(granule(64), 1u);
  EXPECT_EQ(granule(12), 1u);
  EXPECT_EQ(granule(128), 1u);
  EXPECT_EQ(granule(0), 1u);
}

TEST(Plan, bounds_the_number_of_items_when_segments_are_tiny_and_the_message_is_huge) {
  const Choice choice{.algorithm = find_algorithm(Collective::bcast, "chain"), .cut = {.segment_bytes = 1}};
  const Problem problem{.collective = Collective::bcast, .count = std::size_t{1} << 40};
  const Schedule schedule = schedule_of(choice, problem, 2);
  const Partition partition = partition_for(choice, problem, schedule);
  EXPECT_GE(partition.segments(), 1);
  EXPECT_LE(std::int64_t{partition.segments()} * schedule.blocks, 1 << 24);
}

}  // namespace
}  // namespace espalier
