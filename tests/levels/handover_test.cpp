// SPDX-License-Identifier: Apache-2.0
#include "levels/handover.hpp"

#include <gtest/gtest.h>

namespace espalier::handover_test {
namespace {

TEST(Handover, of_two_processes_has_the_limits_of_the_transport) {
  const HandoverSizes sizes = handover_sizes(Handover::streams, 2);
  EXPECT_GT(sizes.short_bytes, 11u << 10);
  EXPECT_EQ(sizes.read_bytes, 12u << 10);
  EXPECT_LE(sizes.piece_bytes, 16u << 10);
  EXPECT_GE(sizes.pieces_under_way, 4);
}

// Streams are small where there are many.
TEST(Handover, of_many_processes_has_shorter_pieces) {
  const HandoverSizes sizes = handover_sizes(Handover::streams, 128);
  EXPECT_EQ(sizes.short_bytes, sizes.piece_bytes);
  EXPECT_LT(sizes.piece_bytes, 4u << 10);
}

TEST(Handover, of_what_is_mapped_never_goes_in_pieces) {
  for (const Handover one : {Handover::staged, Handover::lent, Handover::mapped}) {
    const HandoverSizes sizes = handover_sizes(one, 128);
    EXPECT_EQ(sizes.short_bytes, sizes.read_bytes);
  }
}

}  // namespace
}  // namespace espalier::handover_test
