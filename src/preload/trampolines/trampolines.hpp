// SPDX-License-Identifier: Apache-2.0
// What the trampolines (trampolines_*.S) and the rest of the preload know of each other.
#pragma once

#include <cstddef>
#include <cstring>

#define ESPALIER_HIDDEN __attribute__((visibility("hidden")))

namespace espalier {

struct InterceptedFunction {
  const char* profiling_name;  // "PMPI_Bcast"
  const char* parameters;      // "(void* buffer, int count, ...)"

  [[nodiscard]] constexpr const char* name() const { return profiling_name + 1; }  // "MPI_Bcast"
};

inline constexpr InterceptedFunction intercepted_functions[] = {
#define ESPALIER_FUNCTION(name, result, parameters) {"P" #name, #parameters},
#include "preload/trampolines/functions.inc"
#undef ESPALIER_FUNCTION
};

inline constexpr std::size_t intercepted_count = sizeof intercepted_functions / sizeof *intercepted_functions;
inline constexpr std::size_t slot_count = 2 * intercepted_count;

// Each function has two slots, MPI_X's and then PMPI_X's. Behind the slots of all that is exported are those of what is
// handed out (preload/handed.hpp), in the same order.
[[nodiscard]] constexpr std::size_t function_of(std::size_t slot) { return slot / 2; }
[[nodiscard]] constexpr std::size_t slot_of(std::size_t function) { return 2 * function; }  // MPI_X's
[[nodiscard]] constexpr bool is_profiling(std::size_t slot) { return slot % 2 == 1; }

[[nodiscard]] constexpr const char* name_of(std::size_t slot) {
  const InterceptedFunction& function = intercepted_functions[function_of(slot)];
  return is_profiling(slot) ? function.profiling_name : function.name();
}

// slot_count for a name that is not intercepted. Most are not, and not of an MPI either.
[[nodiscard]] inline std::size_t slot_named(const char* name) {
  if (std::strncmp(name, "MPI", 3) != 0 && std::strncmp(name, "PMPI", 4) != 0) return slot_count;
  std::size_t slot = 0;
  while (slot < slot_count && std::strcmp(name_of(slot), name) != 0) ++slot;
  return slot;
}

}  // namespace espalier

extern "C" {

// Where each trampoline jumps now, and the stub that each slot starts with.
ESPALIER_HIDDEN extern void* espalier_slots[];
ESPALIER_HIDDEN extern void* const espalier_lazy_stubs[];

// The trampolines that are handed out.
ESPALIER_HIDDEN extern void* const espalier_handed[];

// Called by a slot's stub: where this call goes, for a caller that resumes at `return_address`.
ESPALIER_HIDDEN void* espalier_resolve(void** slot, const void* return_address);
}
