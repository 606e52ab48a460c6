// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/native.hpp"

#include <dlfcn.h>

namespace espalier {

namespace {

template <class Function>
bool look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

const char* Native::load(void* library) {
  look_up(library, "PMPI_Bcast_c", Bcast_c);
  look_up(library, "PMPI_Reduce_c", Reduce_c);
  look_up(library, "PMPI_Allreduce_c", Allreduce_c);
  look_up(library, "PMPIX_Comm_is_revoked", Comm_is_revoked);
  look_up(library, "PMPIX_Comm_get_failed", Comm_get_failed);
  look_up(library, "PMPIX_Comm_agree", Comm_agree);
#define ESPALIER_LOOK_UP(name) \
  if (!look_up(library, "PMPI_" #name, name)) return "MPI_" #name;
  ESPALIER_NATIVE_FUNCTIONS(ESPALIER_LOOK_UP)
#undef ESPALIER_LOOK_UP
  return nullptr;
}

}  // namespace espalier
