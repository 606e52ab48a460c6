// SPDX-License-Identifier: Apache-2.0
#include "memory/memory.hpp"

#include <gtest/gtest.h>

#include "memory/examples.hpp"

namespace espalier {
namespace {

TEST(Memory, knows_what_was_there_at_the_start) {
  const Memory memory({example()});
  const Memory::Known known = memory.find(eight_ranks(), sums().key);
  ASSERT_NE(known.context, nullptr);
  EXPECT_EQ(known.context->calls, 77);
  EXPECT_FALSE(known.is_law);
  Placement elsewhere = eight_ranks();
  elsewhere.ranks_of_nodes = "8";
  EXPECT_EQ(memory.find(elsewhere, sums().key).context, nullptr);
}

TEST(Memory, takes_another_root_where_it_does_not_know_this_one) {
  const Memory memory({example()});
  ContextKey key = broadcasts(3, 1).key;
  key.root = 5;
  ASSERT_NE(memory.find(eight_ranks(), key).context, nullptr);
  key.bytes_low = 1;
  EXPECT_EQ(memory.find(eight_ranks(), key).context, nullptr);
}

TEST(Memory, what_was_made_to_hold_for_more_sizes_holds) {
  PlacementMemory wide = example();
  wide.contexts[1].key.bytes_low = 1;
  wide.contexts[1].key.bytes_high = 4000;
  const Memory memory({wide});
  EXPECT_NE(memory.find(eight_ranks(), sums().key).context, nullptr);
  ContextKey key = sums().key;
  key.bytes_low = key.bytes_high = 4008;
  EXPECT_EQ(memory.find(eight_ranks(), key).context, nullptr);
}

TEST(Memory, what_is_pinned_is_law) {
  PlacementMemory pinned = example();
  pinned.is_pinned = true;
  const Memory memory({pinned});
  EXPECT_TRUE(memory.find(eight_ranks(), sums().key).is_law);
  EXPECT_FALSE(memory.find(eight_ranks(), context_of({.count = 5})).is_law);
}

TEST(Memory, of_two_for_a_placement_the_second_knows_what_the_first_does_not) {
  PlacementMemory first = example();
  first.contexts = {broadcasts(3, 5)};
  first.is_pinned = true;
  const Memory memory({first, example()});
  EXPECT_EQ(memory.find(eight_ranks(), broadcasts(3, 1).key).context->known_algorithms[0].seconds, 5);
  EXPECT_TRUE(memory.find(eight_ranks(), broadcasts(3, 1).key).is_law);
  EXPECT_EQ(memory.find(eight_ranks(), sums().key).context->calls, 77);
  EXPECT_FALSE(memory.find(eight_ranks(), sums().key).is_law);
}

TEST(Memory, learns_of_each_context_what_came_last) {
  Memory memory;
  memory.learn(eight_ranks(), broadcasts(0, 1));
  memory.learn(eight_ranks(), broadcasts(1, 1));
  memory.learn(eight_ranks(), broadcasts(0, 2));
  ASSERT_EQ(memory.learnt().size(), 1u);
  const auto contexts = memory.learnt()[0].contexts;
  ASSERT_EQ(contexts.size(), 2u);
  EXPECT_EQ(contexts[1].known_algorithms[0].seconds, 2);
  EXPECT_EQ(memory.find(eight_ranks(), broadcasts(0, 1).key).context, nullptr);
}

}  // namespace
}  // namespace espalier
