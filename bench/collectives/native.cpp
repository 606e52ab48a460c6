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

espalier::Native look_up_all() {
  espalier::Native functions;
  const char* missing = functions.load(mpi_library());
  if (missing == nullptr) return functions;
  std::fprintf(stderr, "espalier-bench: the MPI library has no %s\n", missing);
  std::exit(1);
}

}  // namespace

const espalier::Native& native() {
  static const espalier::Native functions = look_up_all();
  return functions;
}

}  // namespace bench
