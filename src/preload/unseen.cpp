// SPDX-License-Identifier: Apache-2.0
// A process that has used an MPI of which no call came here: at its end it is said why that can be.
#include <dlfcn.h>

#include <cstring>

#include "preload/callers.hpp"
#include "preload/message.hpp"
#include "preload/mpi_library.hpp"
#include "preload/served.hpp"

namespace espalier {

namespace {

bool has_begun(const Module& mpi) {
  using Function = int (*)(int* flag);
  const auto is_initialized = reinterpret_cast<Function>(find_from(mpi, "PMPI_Initialized"));
  int flag = 0;
  return is_initialized && is_initialized(&flag) == 0 && flag != 0;
}

bool was_used(const Module& module) {
  return std::strstr(module.file_name(), "mpi") && is_an_mpi(module) && has_begun(module);
}

__attribute__((destructor)) void say_if_no_call_came() {
  if (known_mpis() > 0 || switched_off()) return;
  const auto mpi = first_module(was_used);
  if (!mpi) return;
  say("this process used %s, but none of its calls came to Espalier. Who makes them was opened with RTLD_DEEPBIND or "
      "dlmopen, or found them before what is preloaded: open it without that, and Espalier serves it.",
      mpi->shown_path());
}

}  // namespace

}  // namespace espalier
