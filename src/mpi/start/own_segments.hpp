// SPDX-License-Identifier: Apache-2.0
// What of this library the loader has put where.
#pragma once

#include <link.h>

#include <cstddef>
#include <vector>

namespace espalier {

struct OwnSegment {
  decltype(ElfW(Phdr)::p_type) type;  // PT_LOAD, PT_NOTE ...
  char* memory;
  std::size_t bytes;
};

// Throws std::bad_alloc.
[[nodiscard]] std::vector<OwnSegment> own_segments();

}  // namespace espalier
