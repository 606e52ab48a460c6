// SPDX-License-Identifier: Apache-2.0
#include "native/native.hpp"

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
#define ESPALIER_LOOK_UP(name, parameters) look_up(library, "PMPI_" #name, name);
  ESPALIER_OPTIONAL_FUNCTIONS(ESPALIER_LOOK_UP)
#undef ESPALIER_LOOK_UP
#define ESPALIER_LOOK_UP(name, parameters) look_up(library, "PMPIX_" #name, name);
  ESPALIER_EXTENSIONS(ESPALIER_LOOK_UP)
#undef ESPALIER_LOOK_UP
#define ESPALIER_LOOK_UP(name) \
  if (!look_up(library, "PMPI_" #name, name)) return "MPI_" #name;
  ESPALIER_NATIVE_FUNCTIONS(ESPALIER_LOOK_UP)
#undef ESPALIER_LOOK_UP
#define COLLECTIVE_FUNCTION(Name, Nonblocking, collective, List)   \
  look_up(library, "PMPI_" #Name "_c", Name##_c);                  \
  look_up(library, "PMPI_" #Nonblocking "_c", Nonblocking##_c);    \
  look_up(library, "PMPI_" #Name "_init", Name##_init);            \
  look_up(library, "PMPI_" #Name "_init_c", Name##_init_c);        \
  if (!look_up(library, "PMPI_" #Name, Name)) return "MPI_" #Name; \
  if (!look_up(library, "PMPI_" #Nonblocking, Nonblocking)) return "MPI_" #Nonblocking;
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
  return nullptr;
}

}  // namespace espalier
