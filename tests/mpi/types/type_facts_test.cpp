// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/type_facts.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

// size, lower bound, extent, true lower bound, true extent
constexpr TypeFacts doubles{8, 0, 8, 0, 8};
constexpr TypeFacts padded_struct{12, 0, 16, 0, 12};
constexpr TypeFacts after_a_gap{8, 0, 16, 4, 12};
constexpr TypeFacts before_its_address{12, 0, 32, -8, 12};
constexpr TypeFacts column{12, 0, 4, 0, 28};
constexpr TypeFacts descending{8, 0, -8, 0, 8};

TEST(TypeFacts, knows_gapless_types) {
  EXPECT_TRUE(doubles.is_gapless());
  for (const TypeFacts& facts : {padded_struct, after_a_gap, before_its_address, column, descending}) {
    EXPECT_FALSE(facts.is_gapless());
  }
}

TEST(LayoutOf, walks_over_elements_at_their_extent_where_they_do_not_mix) {
  EXPECT_EQ(layout_of(doubles), (ElementLayout{8, 0, false}));
  EXPECT_EQ(layout_of(padded_struct), (ElementLayout{16, 0, false}));
  EXPECT_EQ(layout_of(after_a_gap), (ElementLayout{16, 0, false}));
  EXPECT_EQ(layout_of(before_its_address), (ElementLayout{32, -16, false}));
}

TEST(LayoutOf, stages_elements_that_lie_between_each_other_or_descend) {
  EXPECT_EQ(layout_of(column), (ElementLayout{32, 0, true}));
  EXPECT_EQ(layout_of(descending), (ElementLayout{16, 0, true}));
}

TEST(LayoutOf, keeps_every_element_within_its_stride_and_aligned) {
  for (std::int64_t extent = -40; extent <= 40; extent += 8) {
    for (std::int64_t first = -40; first <= 40; first += 4) {
      for (std::int64_t length = 4; length <= 64; length += 4) {
        const ElementLayout layout = layout_of({length, 0, extent, first, length});
        EXPECT_GE(first, layout.bias_bytes);
        EXPECT_LE(first - layout.bias_bytes + length, static_cast<std::int64_t>(layout.stride_bytes));
        EXPECT_EQ(layout.bias_bytes % 16, 0);
        EXPECT_TRUE(layout.staged || static_cast<std::int64_t>(layout.stride_bytes) == extent);
      }
    }
  }
}

}  // namespace
}  // namespace espalier
