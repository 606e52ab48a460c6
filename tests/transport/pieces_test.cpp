// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/pieces.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace espalier {
namespace {

TEST(Pieces, of_a_message_are_one_at_least) {
  EXPECT_EQ(pieces_in(0), 1u);
  EXPECT_EQ(pieces_in(1), 1u);
  EXPECT_EQ(pieces_in(max_piece_bytes), 1u);
  EXPECT_EQ(pieces_in(max_piece_bytes + 1), 2u);
}

TEST(Immediate, says_inlet_and_piece) {
  const Immediate last =
      Immediate::unpack(Immediate::pack(Immediate::max_inlets - 1, (1 << Immediate::piece_bits) + 5));
  EXPECT_EQ(last.inlet, Immediate::max_inlets - 1);
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
