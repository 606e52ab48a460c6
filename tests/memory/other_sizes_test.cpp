// SPDX-License-Identifier: Apache-2.0
#include "memory/other_sizes.hpp"

#include <gtest/gtest.h>

#include "memory/examples.hpp"
#include "memory/memory.hpp"

namespace espalier {
namespace {

ContextMemory broadcast_of(int log2_bytes, Rank root = 0, double seconds = 1) {
  ContextMemory one = broadcasts(root, seconds);
  one.key = context_of({.collective = Collective::bcast, .root = root, .count = std::size_t{1} << log2_bytes});
  return one;
}

std::vector<std::size_t> sizes_of(const std::vector<ContextMemory>& contexts) {
  std::vector<std::size_t> sizes;
  for (const ContextMemory& one : contexts) sizes.push_back(one.key.bytes_low);
  return sizes;
}

TEST(OtherSizes, are_smaller_and_larger_ones_the_nearest_first) {
  std::vector<ContextMemory> contexts;
  for (const int log2_bytes : {20, 10, 13, 12, 17}) contexts.push_back(broadcast_of(log2_bytes));
  OtherSizes sizes(broadcast_of(13).key);
  for (const ContextMemory& one : contexts) sizes.offer(one);
  EXPECT_EQ(sizes_of(sizes.nearest()), (std::vector<std::size_t>{1 << 12, 1 << 10, 1 << 17, 1 << 20}));
}

TEST(OtherSizes, are_of_calls_that_are_alike_otherwise) {
  const ContextKey sums_of_doubles = sums().key;
  const auto is_used = [&](auto change) {
    ContextMemory one = sums();
    one.key.bytes_low = one.key.bytes_high = 2 * sums_of_doubles.bytes_low;
    change(one.key);
    OtherSizes sizes(sums_of_doubles);
    sizes.offer(one);
    return !sizes.nearest().empty();
  };
  EXPECT_TRUE(is_used([](ContextKey&) {}));
  EXPECT_TRUE(is_used([](ContextKey& key) { key.root = 1; }));
  EXPECT_TRUE(is_used([](ContextKey& key) { key.element_bytes = 0; }));
  EXPECT_FALSE(is_used([](ContextKey& key) { key.element_bytes = 4; }));
  EXPECT_FALSE(is_used([](ContextKey& key) { key.collective = Collective::reduce; }));
  EXPECT_FALSE(is_used([](ContextKey& key) { key.arithmetic = Arithmetic::rank_order; }));
  EXPECT_FALSE(is_used([](ContextKey& key) { key.is_uneven = true; }));
  EXPECT_FALSE(is_used([&](ContextKey& key) { key = sums_of_doubles; }));
}

TEST(OtherSizes, of_one_size_that_of_the_same_root_counts) {
  const std::vector<ContextMemory> contexts = {broadcast_of(10, 1), broadcast_of(10, 2), broadcast_of(10, 3)};
  OtherSizes sizes(broadcast_of(12, 2).key);
  for (const ContextMemory& one : contexts) sizes.offer(one);
  const std::vector<ContextMemory> nearest = sizes.nearest();
  ASSERT_EQ(nearest.size(), 1u);
  EXPECT_EQ(nearest[0].key.root, 2);
}

TEST(Memory, of_other_sizes_has_what_was_learnt_before_what_was_there) {
  PlacementMemory before{.placement = eight_ranks(), .contexts = {broadcast_of(10, 0, 1), broadcast_of(11, 0, 1)}};
  Memory memory({before});
  memory.learn(eight_ranks(), broadcast_of(10, 0, 5));
  memory.learn(eight_ranks(), broadcast_of(14, 0, 5));
  const ContextKey here = broadcast_of(12).key;
  const std::vector<ContextMemory> now = memory.other_sizes(eight_ranks(), here);
  EXPECT_EQ(sizes_of(now), (std::vector<std::size_t>{1 << 11, 1 << 10, 1 << 14}));
  EXPECT_EQ(now[1].known_algorithms[0].seconds, 5);
  const std::vector<ContextMemory> at_start = memory.other_sizes_at_start(eight_ranks(), here);
  EXPECT_EQ(sizes_of(at_start), (std::vector<std::size_t>{1 << 11, 1 << 10}));
  EXPECT_EQ(at_start[1].known_algorithms[0].seconds, 1);
}

TEST(Memory, of_other_sizes_has_nothing_that_other_ranks_have_learnt) {
  Memory memory;
  Placement others = eight_ranks();
  others.members = 5;
  memory.learn(eight_ranks(), broadcast_of(10, 0, 1));
  memory.learn(others, broadcast_of(10, 0, 2));
  memory.learn(others, broadcast_of(11, 0, 2));
  const ContextKey here = broadcast_of(12).key;
  EXPECT_EQ(sizes_of(memory.other_sizes(eight_ranks(), here)), (std::vector<std::size_t>{1 << 10}));
  EXPECT_EQ(sizes_of(memory.other_sizes(others, here)), (std::vector<std::size_t>{1 << 11, 1 << 10}));
  ASSERT_EQ(memory.learnt().size(), 1u);
  const std::vector<ContextMemory> kept = memory.learnt()[0].contexts;
  EXPECT_EQ(sizes_of(kept), (std::vector<std::size_t>{1 << 10, 1 << 11}));
  EXPECT_EQ(kept[0].known_algorithms[0].seconds, 2);
  EXPECT_EQ(memory.learnt(eight_ranks(), broadcast_of(10).key)->known_algorithms[0].seconds, 2);
}

}  // namespace
}  // namespace espalier
