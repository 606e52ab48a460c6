// SPDX-License-Identifier: Apache-2.0
#include "shared/mpi_functions.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

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

template <class Function>
void look_up(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

MpiFunctions find_native_mpi() {
  void* library = nullptr;
  if (dl_iterate_phdr(find_library, &library) == 0) {
    std::fprintf(stderr, "no MPI library among the objects of this process\n");
    std::abort();
  }
  MpiFunctions mpi{};
#define FUNCTION(name, mpi_name) look_up(library, "PMPI_" #mpi_name, mpi.name);
#include "shared/mpi_functions.def"
#undef FUNCTION
  return mpi;
}

}  // namespace

const MpiFunctions& called_mpi() {
  static const MpiFunctions mpi = {
#define FUNCTION(name, mpi_name) MPI_##mpi_name,
#include "shared/mpi_functions.def"
#undef FUNCTION
  };
  return mpi;
}

const MpiFunctions& native_mpi() {
  static const MpiFunctions mpi = find_native_mpi();
  return mpi;
}

}  // namespace espalier::apps
