// SPDX-License-Identifier: Apache-2.0
// Numbers that every rank can compute for every other: a hash of what they are for.
#pragma once

#include <cstdint>

namespace espalier::apps {

// The finaliser of splitmix64 (Steele, Lea, Flood, 2014).
[[nodiscard]] constexpr std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

template <class... Parts>
[[nodiscard]] constexpr std::uint64_t scramble(std::uint64_t first, Parts... parts) {
  std::uint64_t hash = scramble(first);
  ((hash = scramble(hash ^ static_cast<std::uint64_t>(parts))), ...);
  return hash;
}

}  // namespace espalier::apps
