// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/own_segments.hpp"

#include <algorithm>

namespace espalier {

namespace {

// In this library, and in no other.
constexpr char mark = 0;

bool holds_mark(const OwnSegment& segment) {
  return segment.type == PT_LOAD && &mark >= segment.memory && &mark < segment.memory + segment.bytes;
}

std::vector<OwnSegment> segments_of(const dl_phdr_info& library) {
  std::vector<OwnSegment> segments;
  for (int k = 0; k < library.dlpi_phnum; ++k) {
    const ElfW(Phdr)& header = library.dlpi_phdr[k];
    segments.push_back({header.p_type, reinterpret_cast<char*>(library.dlpi_addr + header.p_vaddr), header.p_memsz});
  }
  return segments;
}

// dl_iterate_phdr() calls this for each library; nonzero ends the search.
int take_if_own(dl_phdr_info* library, std::size_t, void* taken) {
  std::vector<OwnSegment> segments = segments_of(*library);
  if (std::ranges::none_of(segments, holds_mark)) return 0;
  *static_cast<std::vector<OwnSegment>*>(taken) = std::move(segments);
  return 1;
}

}  // namespace

std::vector<OwnSegment> own_segments() {
  std::vector<OwnSegment> own;
  dl_iterate_phdr(take_if_own, &own);
  return own;
}

}  // namespace espalier
