// SPDX-License-Identifier: Apache-2.0
#include "mpi/build_id.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>

namespace espalier {

namespace {

class Hash {
 public:
  void add(const void* data, std::size_t bytes) {
    for (std::size_t k = 0; k < bytes; ++k) {
      value_ = (value_ ^ static_cast<const unsigned char*>(data)[k]) * 0x100000001b3;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;  // FNV-1a, 64 bits
};

std::size_t padded(std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; }

// A segment of notes is a row of headers, each followed by its name and its text.
void add_build_id(const char* notes, std::size_t bytes, Hash& hash) {
  const char* const end = notes + bytes;
  while (notes + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    const char* const text = notes + sizeof header + padded(header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID) hash.add(text, header.n_descsz);
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
                 *static_cast<Hash*>(hash));
  }
  return 1;
}

}  // namespace

std::uint64_t build_hash() {
  Hash hash;
  hash.add(library_version.data(), library_version.size());
  dl_iterate_phdr(add_if_own, &hash);
  return hash.value();
}

}  // namespace espalier
