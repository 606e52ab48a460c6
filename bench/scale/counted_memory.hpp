// SPDX-License-Identifier: Apache-2.0
// The memory that this program has from `new`, counted as the allocator gives it.
#pragma once

#include <cstddef>

namespace espalier {

struct CountedMemory {
  std::size_t kept = 0;   // bytes at this moment
  std::size_t peak = 0;   // the most there were since forget_peak()
  std::size_t taken = 0;  // how often there was more
};

[[nodiscard]] CountedMemory counted_memory();
void forget_peak();

}  // namespace espalier
