// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/build_id.hpp"

#include <cstring>

#include "core/hash.hpp"
#include "mpi/start/own_library.hpp"

namespace espalier {

namespace {

std::size_t padded(std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; }

// A segment of notes is a row of headers, each followed by its name and its text.
void add_build_id(const char* notes, std::size_t bytes, std::uint64_t& hash) {
  const char* const end = notes + bytes;
  while (notes + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    const char* const text = notes + sizeof header + padded(header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID) hash = hash_of_text({text, header.n_descsz}, hash);
    notes = text + padded(header.n_descsz);
  }
}

}  // namespace

std::uint64_t build_hash() {
  std::uint64_t hash = hash_of_text(library_version);
  const OwnLibrary own = own_library();
  for (const ElfW(Phdr) & segment : own.segments) {
    if (segment.p_type == PT_NOTE) add_build_id(own.memory_of(segment), segment.p_memsz, hash);
  }
  return hash;
}

}  // namespace espalier
