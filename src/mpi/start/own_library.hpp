// SPDX-License-Identifier: Apache-2.0
// What of this library the loader has put where.
#pragma once

#include <link.h>

#include <span>

namespace espalier {

struct OwnLibrary {
  ElfW(Addr) base = 0;
  std::span<const ElfW(Phdr)> segments;  // theirs as long as the library is loaded

  [[nodiscard]] const char* memory_of(const ElfW(Phdr) & segment) const {
    return reinterpret_cast<const char*>(base + segment.p_vaddr);
  }
};

[[nodiscard]] OwnLibrary own_library() noexcept;

}  // namespace espalier
