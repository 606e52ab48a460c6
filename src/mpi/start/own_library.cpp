// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/own_library.hpp"

#include <algorithm>

namespace espalier {

namespace {

// In this library, and in no other.
constexpr char mark = 0;

bool holds_mark(const OwnLibrary& library) {
  return std::ranges::any_of(library.segments, [&](const ElfW(Phdr) & segment) {
    const char* const memory = library.memory_of(segment);
    return segment.p_type == PT_LOAD && &mark >= memory && &mark < memory + segment.p_memsz;
  });
}

// dl_iterate_phdr() calls this for each library, under the loader's lock: nothing may be thrown. Nonzero ends the
// search.
int take_if_own(dl_phdr_info* info, std::size_t, void* taken) noexcept {
  const OwnLibrary library = {info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}};
  if (!holds_mark(library)) return 0;
  *static_cast<OwnLibrary*>(taken) = library;
  return 1;
}

}  // namespace

OwnLibrary own_library() noexcept {
  OwnLibrary own;
  dl_iterate_phdr(take_if_own, &own);
  return own;
}

}  // namespace espalier
