// SPDX-License-Identifier: Apache-2.0
// Calls that never arrived here, since the loader has bound who makes them to the MPI itself: said when the process
// ends.
#include <cstring>

#include "preload/bound_past.hpp"
#include "preload/loader/message.hpp"
#include "preload/loader/mpi_library.hpp"
#include "preload/served.hpp"

namespace espalier {

namespace {

bool is_mpi_library(const Module& module) { return std::strstr(module.file_name(), "mpi") && is_an_mpi(module); }

bool is_yes(void* question) {
  int flag = 0;
  return reinterpret_cast<int (*)(int* flag)>(question)(&flag) == 0 && flag != 0;
}

__attribute__((destructor)) void log_unseen() {
  if (switched_off()) return;
  const auto mpi = first_module(is_mpi_library);
  void* const is_initialized = mpi ? find_from(*mpi, "PMPI_Initialized") : nullptr;
  const auto code = is_initialized ? module_at(is_initialized) : std::nullopt;
  const char* const path = code ? bound_past_us(*code) : nullptr;
  if (!path || !is_yes(is_initialized)) return;
  log_on_node(
      "%s calls %s directly: these calls were neither accelerated nor counted. If it was opened with RTLD_DEEPBIND, "
      "open it without that flag.",
      *path ? path : "the program", mpi->shown_path());
}

}  // namespace

}  // namespace espalier
