// SPDX-License-Identifier: Apache-2.0
// The MPI's own functions for tools. Those that came with MPI-3.0 are there in every MPI that has the interface;
// without it nothing is joined.
#pragma once

#include "native/native.hpp"

namespace espalier {

// clang-format off
#define ESPALIER_TOOL_FUNCTIONS(X) \
  X(pvar_get_num) X(pvar_get_info) X(pvar_get_index) X(pvar_session_free) X(pvar_handle_alloc) X(pvar_handle_free) \
  X(pvar_start) X(pvar_stop) X(pvar_read) X(pvar_write) X(pvar_reset) X(pvar_readreset) \
  X(cvar_get_num) X(cvar_get_info) X(cvar_get_index) X(cvar_handle_alloc) X(cvar_handle_free) X(cvar_read) X(cvar_write) \
  X(category_get_num) X(category_get_info) X(category_get_index) X(category_get_cvars) X(category_get_pvars) \
  X(category_get_categories)
// clang-format on

struct ToolFunctions {
#define ESPALIER_DECLARE(name) decltype(&PMPI_T_##name) name = nullptr;
  ESPALIER_TOOL_FUNCTIONS(ESPALIER_DECLARE)
#undef ESPALIER_DECLARE
  // MPI-4.0's.
  int (*category_get_num_events)(int, int*) = nullptr;
  int (*category_get_events)(int, int, int*) = nullptr;

  bool are_complete = true;  // but for those
};

// Looked up at the first call.
[[nodiscard]] const ToolFunctions& native_tools();

}  // namespace espalier
