// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/build_id.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>

#include "core/hash.hpp"

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

bool holds(const dl_phdr_info& library, const ElfW(Phdr) & segment, const void* address) {
  const auto start = library.dlpi_addr + segment.p_vaddr;
  const auto wanted = reinterpret_cast<ElfW(Addr)>(address);
  return segment.p_type == PT_LOAD && wanted >= start && wanted < start + segment.p_memsz;
}

// dl_iterate_phdr() calls this for each library; nonzero ends the search.
int add_if_own(dl_phdr_info* library, std::size_t, void* hash) {
  const ElfW(Phdr)* const begin = library->dlpi_phdr;
  const ElfW(Phdr)* const end = begin + library->dlpi_phnum;
  bool own = false;
  for (auto segment = begin; segment != end; ++segment) own = own || holds(*library, *segment, &library_version);
  if (!own) return 0;
  for (auto segment = begin; segment != end; ++segment) {
    if (segment->p_type != PT_NOTE) continue;
    add_build_id(reinterpret_cast<const char*>(library->dlpi_addr + segment->p_vaddr), segment->p_memsz,
                 *static_cast<std::uint64_t*>(hash));
  }
  return 1;
}

}  // namespace

std::uint64_t build_hash() {
  std::uint64_t hash = hash_of_text(library_version);
  dl_iterate_phdr(add_if_own, &hash);
  return hash;
}

}  // namespace espalier
