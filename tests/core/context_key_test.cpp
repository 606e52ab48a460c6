// SPDX-License-Identifier: Apache-2.0
#include "core/context_key.hpp"

#include <gtest/gtest.h>

namespace espalier::context_key_test {
namespace {

Problem broadcast_of(std::size_t bytes) { return {.collective = Collective::bcast, .count = bytes}; }

TEST(ContextKey, holds_sizes_within_a_power_of_two) {
  const ContextKey key = context_of(broadcast_of(8));
  EXPECT_EQ(key, context_of(broadcast_of(15)));
  EXPECT_NE(key, context_of(broadcast_of(16)));
  EXPECT_EQ(key.bytes_low, 8u);
  EXPECT_EQ(key.bytes_high, 15u);
  EXPECT_EQ(context_of(broadcast_of(0)).bytes_high, 0u);
}

TEST(ContextKey, tells_apart_what_is_equal_on_all_ranks) {
  const ContextKey key = context_of(broadcast_of(8));
  EXPECT_NE(key, context_of({.collective = Collective::bcast, .root = 1, .count = 8}));
  EXPECT_NE(key, context_of({.collective = Collective::allreduce, .count = 8}));
  EXPECT_NE(key, context_of({.collective = Collective::bcast, .count = 8, .is_uneven = true}));
}

TEST(ContextKey, holds_one_size_where_the_order_of_additions_shows) {
  const Problem sum{
      .collective = Collective::allreduce, .count = 8, .element_bytes = 8, .arithmetic = Arithmetic::commutative};
  Problem longer = sum, of_others = sum;
  longer.count = 9;
  of_others.count = 16;
  of_others.element_bytes = 4;
  EXPECT_EQ(context_of(sum), context_of(sum));
  EXPECT_NE(context_of(sum), context_of(longer));
  EXPECT_NE(context_of(sum), context_of(of_others));
}

}  // namespace
}  // namespace espalier::context_key_test
