// SPDX-License-Identifier: Apache-2.0
#include "preload/bound_past.hpp"

#include <elf.h>
#include <link.h>

#include <cstddef>

#include "preload/loader/mpi_library.hpp"
#include "preload/trampolines/trampolines.hpp"

namespace espalier {

namespace {

#if defined(__x86_64__)
constexpr ElfW(Xword) kinds[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT};
#else
constexpr ElfW(Xword) kinds[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT};
#endif

struct RelocationTable {
  const ElfW(Rela) * first = nullptr;
  std::size_t bytes = 0;
};

// What an object's dynamic section says of its references.
struct References {
  const char* names = nullptr;
  const ElfW(Sym) * symbols = nullptr;
  RelocationTable of_functions, of_data;
};

struct RelocationSearch {
  const Module& mpi_code;
  const char* path = nullptr;
};

// The loader has added the base in most objects, but not in the kernel's.
template <typename T>
const T* pointer(const dl_phdr_info& object, ElfW(Addr) address) {
  return reinterpret_cast<const T*>(address < object.dlpi_addr ? object.dlpi_addr + address : address);
}

References references_of(const dl_phdr_info& object, const ElfW(Dyn) * entry) {
  References found;
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_STRTAB: found.names = pointer<char>(object, entry->d_un.d_ptr); break;
      case DT_SYMTAB: found.symbols = pointer<ElfW(Sym)>(object, entry->d_un.d_ptr); break;
      case DT_JMPREL: found.of_functions.first = pointer<ElfW(Rela)>(object, entry->d_un.d_ptr); break;
      case DT_PLTRELSZ: found.of_functions.bytes = entry->d_un.d_val; break;
      case DT_RELA: found.of_data.first = pointer<ElfW(Rela)>(object, entry->d_un.d_ptr); break;
      case DT_RELASZ: found.of_data.bytes = entry->d_un.d_val; break;
      default: break;
    }
  }
  return found;
}

bool leads_into(const dl_phdr_info& object, const RelocationTable& table, const References& references,
                const Module& code) {
  const std::size_t count = table.first ? table.bytes / sizeof *table.first : 0;
  for (const ElfW(Rela)* entry = table.first; entry != table.first + count; ++entry) {
    const auto kind = ELF64_R_TYPE(entry->r_info);
    if (kind != kinds[0] && kind != kinds[1]) continue;
    const auto target = *reinterpret_cast<const std::uintptr_t*>(object.dlpi_addr + entry->r_offset);
    if (target < code.first || target >= code.last) continue;
    const char* name = references.names + references.symbols[ELF64_R_SYM(entry->r_info)].st_name;
    if (slot_named(name) != slot_count) return true;
  }
  return false;
}

bool calls(const dl_phdr_info& object, const Module& mpi_code) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* dynamic = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
    const References references = references_of(object, dynamic);
    return references.names && references.symbols &&
           (leads_into(object, references.of_functions, references, mpi_code) ||
            leads_into(object, references.of_data, references, mpi_code));
  }
  return false;
}

int visit(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<RelocationSearch*>(data);
  const Module module{object->dlpi_name, object->dlpi_addr, 0, 0};
  if (is_part_of_mpi(module, search.mpi_code) || !calls(*object, search.mpi_code)) return 0;
  search.path = object->dlpi_name;
  return 1;
}

}  // namespace

const char* bound_past_us(const Module& mpi_code) {
  RelocationSearch search{mpi_code};
  dl_iterate_phdr(visit, &search);
  return search.path;
}

}  // namespace espalier
