// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/wire/pieces.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace espalier {
namespace {

TEST(Pieces, of_a_message_are_one_at_least) {
  EXPECT_EQ(Pieces(0, 0).count, 1u);
  EXPECT_EQ(Pieces(1, 0).count, 1u);
  EXPECT_EQ(Pieces(max_piece_bytes, 0).count, 1u);
  EXPECT_EQ(Pieces(max_piece_bytes + 1, 0).count, 2u);
  EXPECT_EQ(Pieces(10 * max_piece_bytes, 0).count, 10u);
}

TEST(Pieces, of_what_is_planned_are_as_many_as_lanes) {
  EXPECT_EQ(Pieces(1000, by_all_in_turn).count, 1u);
  EXPECT_EQ(Pieces(2 * min_planned_piece_bytes - 1, by_all_in_turn).count, 1u);
  EXPECT_EQ(Pieces(2 * min_planned_piece_bytes, only_by(3)).count, 2u);
  EXPECT_EQ(Pieces(max_piece_bytes, by_all_in_turn).count, 4u);
  EXPECT_EQ(Pieces(10 * max_piece_bytes, by_all_in_turn).count, 10u);
}

TEST(Pieces, of_a_message_fill_it_and_all_have_bytes) {
  for (const Path path : {Path{0}, by_all_in_turn}) {
    for (std::size_t bytes = 1; bytes < 1500 * max_piece_bytes; bytes += bytes / 97 + 1) {
      const Pieces pieces(bytes, path);
      const std::size_t before_last = (pieces.count - 1) * pieces.bytes;
      EXPECT_LT(before_last, bytes);
      EXPECT_LE(bytes - before_last, pieces.bytes);
      EXPECT_LE(pieces.bytes, max_piece_bytes);
    }
  }
}

TEST(Immediate, says_inlet_and_piece) {
  const Immediate last = Immediate::unpack(Immediate::pack(Immediate::inlet_mask, (1 << Immediate::piece_bits) + 5));
  EXPECT_EQ(last.inlet, Immediate::inlet_mask);
  EXPECT_EQ(last.piece, 5u);
}

TEST(Prefix, counts_what_is_done_from_the_first_on) {
  Prefix prefix;
  EXPECT_TRUE(prefix.add(1));
  EXPECT_EQ(prefix.count(), 0u);
  EXPECT_TRUE(prefix.has(1));
  EXPECT_TRUE(prefix.add(0));
  EXPECT_EQ(prefix.count(), 2u);
  EXPECT_FALSE(prefix.add(1)) << "was done already";
  EXPECT_FALSE(prefix.add(2 + Prefix::reach)) << "is out of reach";
  EXPECT_FALSE(prefix.has(2));
}

TEST(Prefix, goes_through_millions_in_any_order_and_tells_their_numbers_by_the_lowest_bits) {
  std::mt19937_64 random(5);
  Prefix prefix;
  std::vector<std::uint64_t> window;
  std::uint64_t next = 0;
  constexpr std::uint64_t pieces = 2'000'000;
  while (prefix.count() < pieces) {
    while (next < pieces && window.size() < 300 && next < prefix.count() + Prefix::max_ahead) window.push_back(next++);
    const std::size_t k = random() % window.size();
    const Immediate sent = Immediate::unpack(Immediate::pack(0, window[k]));
    ASSERT_EQ(prefix.number_of(sent.piece), window[k]);
    ASSERT_TRUE(prefix.add(window[k]));
    window[k] = window.back();
    window.pop_back();
  }
}

}  // namespace
}  // namespace espalier
