// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/tags.hpp"

#include <gtest/gtest.h>

namespace espalier {

namespace {

constexpr int max_ids = 4096;

// What MPI guarantees, and what MPICH 4, MPICH 5 and Open MPI have.
class TagsOf : public testing::TestWithParam<std::int64_t> {};
INSTANTIATE_TEST_SUITE_P(Mpis, TagsOf, testing::Values(32767, (1 << 28) - 1, (1 << 29) - 1, 0x7fffffff));

TEST_P(TagsOf, blocks_fit_into_the_tags_that_there_are) {
  const TagLayout tags = TagLayout::within(GetParam(), max_ids);
  EXPECT_GT(tags.ids, 0);
  EXPECT_LE(tags.ids, max_ids);
  const std::int64_t last =
      std::int64_t{tags.first_tag(tags.ids - 1)} + tags.offset(tags.calls - 1) + TagLayout::shared;
  EXPECT_LE(last, GetParam());
}

TEST_P(TagsOf, calls_in_a_row_have_different_tags) {
  const TagLayout tags = TagLayout::within(GetParam(), max_ids);
  EXPECT_GE(tags.calls, 8);
  for (int call = 0; call < tags.calls; ++call) EXPECT_EQ(tags.offset(call), call * TagLayout::per_call);
  EXPECT_EQ(tags.offset(tags.calls), tags.offset(0));
}

TEST_P(TagsOf, no_channel_has_the_tag_of_notices_or_of_what_is_shared) {
  EXPECT_EQ(TagLayout::notices, max_channels);
  EXPECT_EQ(TagLayout::shared, max_channels + 1);
}

TEST_P(TagsOf, say_which_call_and_channel_they_are_of) {
  const TagLayout tags = TagLayout::within(GetParam(), max_ids);
  const int tag = tags.offset(5) + 7;
  EXPECT_EQ(TagLayout::call_of(tag), 5u);
  EXPECT_EQ(TagLayout::channel_of(tag), 7);
  EXPECT_TRUE(tags.are_ours(tag));
  EXPECT_FALSE(tags.are_ours(-1));
  EXPECT_FALSE(tags.are_ours(tags.offset(tags.calls - 1) + TagLayout::per_call));
}

}  // namespace

}  // namespace espalier
