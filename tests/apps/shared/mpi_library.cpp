// SPDX-License-Identifier: Apache-2.0
#include "shared/mpi_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

// Who looks behind a library's handle is given Espalier's functions of an MPI. This program wants the MPI's own there,
// for what it compares with.
extern "C" __attribute__((visibility("hidden"))) void* dlsym(void* handle, const char* name) noexcept {
#if defined(__x86_64__)
  constexpr const char* first_version = "GLIBC_2.2.5";
#else
  constexpr const char* first_version = "GLIBC_2.17";
#endif
  using Dlsym = void* (*)(void* handle, const char* name);
  static const auto of_c_library = reinterpret_cast<Dlsym>(dlvsym(RTLD_DEFAULT, "dlsym", first_version));
  return of_c_library(handle, name);
}

namespace espalier::apps {

namespace {

// A library that itself defines the function, and is not ours.
int find_library(dl_phdr_info* object, std::size_t, void* found) {
  if (std::string_view(object->dlpi_name).find("libmpi") == std::string_view::npos) return 0;
  void* const handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  void* const function = handle != nullptr ? dlsym(handle, "PMPI_Allreduce") : nullptr;
  Dl_info info;
  if (function == nullptr || dladdr(function, &info) == 0) return 0;
  if (reinterpret_cast<ElfW(Addr)>(info.dli_fbase) != object->dlpi_addr) return 0;
  *static_cast<void**>(found) = handle;
  return 1;
}

}  // namespace

void* mpi_library() {
  static void* const library = [] {
    void* found = nullptr;
    if (dl_iterate_phdr(find_library, &found) != 0) return found;
    std::fprintf(stderr, "no MPI library among the objects of this process\n");
    std::abort();
  }();
  return library;
}

}  // namespace espalier::apps
