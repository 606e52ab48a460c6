// SPDX-License-Identifier: Apache-2.0
// SipHash-2-4 (J.-P. Aumasson, D. J. Bernstein: "SipHash: a fast short-input PRF", 2012): 64 bits of a text that nobody
// without the key can foretell.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace espalier {

struct HashKey {
  std::uint64_t low = 0, high = 0;
};

class SipHash {
 public:
  explicit constexpr SipHash(const HashKey& key)
      : a_(key.low ^ 0x736f6d6570736575),
        b_(key.high ^ 0x646f72616e646f6d),
        c_(key.low ^ 0x6c7967656e657261),
        d_(key.high ^ 0x7465646279746573) {}

  constexpr SipHash& add(std::uint64_t word) {
    d_ ^= word;
    mix(2);
    a_ ^= word;
    bytes_ += sizeof word;
    return *this;
  }
  // `rest`: up to seven bytes more, the first one lowest.
  [[nodiscard]] constexpr std::uint64_t finish(std::uint64_t rest = 0, std::size_t rest_bytes = 0) {
    add((bytes_ + rest_bytes) << 56 | rest);
    c_ ^= 0xff;
    mix(4);
    return a_ ^ b_ ^ c_ ^ d_;
  }

 private:
  constexpr void mix(int rounds) {
    for (; rounds > 0; --rounds) {
      a_ += b_, c_ += d_;
      b_ = std::rotl(b_, 13) ^ a_, d_ = std::rotl(d_, 16) ^ c_;
      a_ = std::rotl(a_, 32);
      c_ += b_, a_ += d_;
      b_ = std::rotl(b_, 17) ^ c_, d_ = std::rotl(d_, 21) ^ a_;
      c_ = std::rotl(c_, 32);
    }
  }

  std::uint64_t a_, b_, c_, d_;
  std::uint64_t bytes_ = 0;
};

[[nodiscard]] constexpr std::uint64_t word_at(std::span<const std::byte> bytes) {
  std::uint64_t word = 0;
  for (std::size_t k = 0; k < bytes.size(); ++k) word |= static_cast<std::uint64_t>(bytes[k]) << 8 * k;
  return word;
}

[[nodiscard]] constexpr std::uint64_t siphash(const HashKey& key, std::span<const std::byte> text) {
  SipHash hash(key);
  for (; text.size() >= sizeof(std::uint64_t); text = text.subspan(sizeof(std::uint64_t))) {
    hash.add(word_at(text.first(sizeof(std::uint64_t))));
  }
  return hash.finish(word_at(text), text.size());
}

}  // namespace espalier
