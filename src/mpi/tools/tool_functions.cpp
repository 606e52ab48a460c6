// SPDX-License-Identifier: Apache-2.0
#include "mpi/tools/tool_functions.hpp"

#include <dlfcn.h>

#include "mpi/calls/context.hpp"

namespace espalier {

namespace {

// Takes whatever is said to one that the MPI does not have.
int unsupported() { return MPI_ERR_UNSUPPORTED_OPERATION; }

template <class Function>
bool look_up(const char* name, Function& function) {
  void* const found = dlsym(context->job.host.mpi_handle, name);
  function = reinterpret_cast<Function>(found != nullptr ? found : reinterpret_cast<void*>(&unsupported));
  return found != nullptr;
}

ToolFunctions found() {
  ToolFunctions all;
#define ESPALIER_LOOK_UP(name) all.are_complete = look_up("PMPI_T_" #name, all.name) && all.are_complete;
  ESPALIER_TOOL_FUNCTIONS(ESPALIER_LOOK_UP)
#undef ESPALIER_LOOK_UP
  look_up("PMPI_T_category_get_num_events", all.category_get_num_events);
  look_up("PMPI_T_category_get_events", all.category_get_events);
  return all;
}

}  // namespace

const ToolFunctions& native_tools() {
  static const ToolFunctions all = found();
  return all;
}

}  // namespace espalier
