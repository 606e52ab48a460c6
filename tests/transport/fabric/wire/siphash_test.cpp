// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/wire/siphash.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <utility>

namespace espalier {
namespace {

// Of its authors: the text 00 01 02 ... of that many bytes, under the key 00 01 ... 0f.
constexpr std::pair<std::size_t, std::uint64_t> published[] = {
    {0, 0x726fdb47dd0e0e31},  {1, 0x74f839c593dc67fd},  {2, 0x0d6c8009d9a94f5a},
    {3, 0x85676696d7fb7e2d},  {7, 0xab0200f58b01d137},  {8, 0x93f5f5799a932462},
    {15, 0xa129ca6149be45e5}, {16, 0x3f2acc7f57c29bdb}, {63, 0x958a324ceb064572},
};

TEST(SipHash, is_as_published) {
  const HashKey key = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::array<std::byte, 64> text{};
  for (std::size_t k = 0; k < text.size(); ++k) text[k] = static_cast<std::byte>(k);
  for (const auto& [bytes, hash] : published) EXPECT_EQ(siphash(key, std::span(text).first(bytes)), hash) << bytes;
}

TEST(SipHash, of_words_is_that_of_their_bytes) {
  const HashKey key = {1, 2};
  const std::array<std::uint64_t, 2> words = {3, 4};
  std::array<std::byte, sizeof words> bytes{};
  std::memcpy(bytes.data(), words.data(), sizeof words);
  EXPECT_EQ(SipHash(key).add(words[0]).add(words[1]).finish(), siphash(key, bytes));
}

}  // namespace
}  // namespace espalier
