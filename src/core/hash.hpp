// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace espalier {

// FNV-1a, 64 bits: equal in all processes and on all machines. `hash`: of what came before.
inline constexpr std::uint64_t hash_of_nothing = 0xcbf29ce484222325;

[[nodiscard]] constexpr std::uint64_t hash_of_text(std::string_view text, std::uint64_t hash = hash_of_nothing) {
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return hash;
}

// The same of a number's eight bytes, the lowest first.
[[nodiscard]] constexpr std::uint64_t hash_of_number(std::uint64_t number, std::uint64_t hash) {
  for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (number >> (8 * byte) & 255)) * 0x100000001b3;
  return hash;
}

// Every bit of the argument changes about half of the result's (MurmurHash3's finaliser): for tables within a process.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

}  // namespace espalier
