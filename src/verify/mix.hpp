// SPDX-License-Identifier: Apache-2.0
// A 64-bit mixer (MurmurHash3's finaliser): every input bit changes about half of the output bits.
#pragma once

#include <cstdint>

namespace espalier::proof {

[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

}  // namespace espalier::proof
