// SPDX-License-Identifier: Apache-2.0
#include "shared/mpi_functions.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "shared/mpi_library.hpp"

namespace espalier::apps {

namespace {

Native find_native_mpi() {
  Native mpi;
  if (const char* missing = mpi.load(mpi_library())) {
    std::fprintf(stderr, "the MPI library has no %s\n", missing);
    std::abort();
  }
  return mpi;
}

template <class Function>
void look_up(const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

Native find_called_mpi() {
  Native mpi;
#define FORM(Name)                 \
  look_up("MPI_" #Name, mpi.Name); \
  look_up("MPI_" #Name "_c", mpi.Name##_c);
#define COLLECTIVE_FUNCTION(Name, Nonblocking, collective, List) FORM(Name) FORM(Nonblocking) FORM(Name##_init)
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
#undef FORM
  return mpi;
}

}  // namespace

const Native& called_mpi() {
  static const Native mpi = find_called_mpi();
  return mpi;
}

const Native& native_mpi() {
  static const Native mpi = find_native_mpi();
  return mpi;
}

}  // namespace espalier::apps
