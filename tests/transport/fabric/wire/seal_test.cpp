// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/wire/seal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace espalier {
namespace {

using Text = std::array<std::uint64_t, 5>;

constexpr HashKey job = {12, 34};
constexpr Text text = {1, 2, 3, 4, 5};

std::span<std::byte> bytes_of(Text& words) { return std::as_writable_bytes(std::span(words)); }

TEST(Seal, is_opened_by_the_other_end_alone) {
  const Seal there(job, 0, 1, 7);
  Text sealed = text;
  const SealedHead head = there.close(3, bytes_of(sealed));
  for (std::size_t k = 0; k < text.size(); ++k) EXPECT_NE(sealed[k], text[k]);
  for (const Seal& other : {Seal({12, 35}, 0, 1, 7), Seal(job, 1, 0, 7), Seal(job, 0, 2, 7), Seal(job, 0, 1, 8)}) {
    Text taken = sealed;
    EXPECT_FALSE(other.open(head, bytes_of(taken)));
    EXPECT_EQ(taken, sealed);
  }
  EXPECT_TRUE(there.open(head, bytes_of(sealed)));
  EXPECT_EQ(sealed, text);
}

TEST(Seal, breaks_with_any_bit) {
  const Seal seal(job, 0, 1, 7);
  Text sealed = text;
  const SealedHead head = seal.close(3, bytes_of(sealed));
  for (std::size_t bit = 0; bit < 64; ++bit) {
    for (std::size_t word = 0; word < text.size(); ++word) {
      Text altered = sealed;
      altered[word] ^= std::uint64_t{1} << bit;
      EXPECT_FALSE(seal.open(head, bytes_of(altered)));
    }
    EXPECT_FALSE(seal.open({head.mark ^ std::uint64_t{1} << bit, head.number}, bytes_of(sealed)));
    EXPECT_FALSE(seal.open({head.mark, head.number ^ std::uint64_t{1} << bit}, bytes_of(sealed)));
  }
  EXPECT_FALSE(seal.open(head, bytes_of(sealed).first(4 * sizeof(std::uint64_t))));
}

TEST(Seal, shows_no_two_texts_alike) {
  const Seal seal(job, 0, 1, 7);
  Text first = text, second = text;
  (void)seal.close(3, bytes_of(first));
  (void)seal.close(4, bytes_of(second));
  for (std::size_t k = 0; k < text.size(); ++k) EXPECT_NE(first[k], second[k]);
}

}  // namespace
}  // namespace espalier
