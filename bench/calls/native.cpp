// SPDX-License-Identifier: Apache-2.0
#include "native.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace bench {

namespace {

// Espalier never defines PMPI_Get_version, so whoever does is the MPI.
void* mpi_library() {
  Dl_info where{};
  void* handle = nullptr;
  if (dladdr(dlsym(RTLD_DEFAULT, "PMPI_Get_version"), &where) != 0) {
    handle = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }
  if (handle != nullptr) return handle;
  std::fprintf(stderr, "espalier-bench: cannot find the MPI library: %s\n", dlerror());
  std::exit(1);
}

template <class Function>
void look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function != nullptr) return;
  std::fprintf(stderr, "espalier-bench: the MPI library has no %s\n", name);
  std::exit(1);
}

Native look_up_all() {
  void* library = mpi_library();
  Native functions{};
  look_up(library, "PMPI_Bcast", functions.bcast);
  look_up(library, "PMPI_Reduce", functions.reduce);
  look_up(library, "PMPI_Allreduce", functions.allreduce);
  look_up(library, "PMPI_Barrier", functions.barrier);
  look_up(library, "PMPI_Isend", functions.isend);
  look_up(library, "PMPI_Irecv", functions.irecv);
  look_up(library, "PMPI_Wait", functions.wait);
  return functions;
}

}  // namespace

const Native& native() {
  static const Native functions = look_up_all();
  return functions;
}

}  // namespace bench
