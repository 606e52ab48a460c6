// SPDX-License-Identifier: Apache-2.0
// Where intercepted calls go: the trampolines' slots.
#pragma once

#include <cstddef>

namespace espalier {

// From here on no slot remembers its function: each call is sent on by who makes it. Slow (a look-up per call), and
// only needed once the program uses more than one MPI library.
void resolve_every_call();

// A function that nobody takes the place of, as the caller's MPI has it; null if it has none.
[[nodiscard]] void* function_of_mpi(const char* name, const void* return_address);

// Which binary interface the caller's MPI has; null for one that we do not know.
[[nodiscard]] const char* interface_of_mpi(const void* return_address);

// Where a call of this slot's function goes, for a caller that resumes at `return_address`. Never null.
[[nodiscard]] void* target_for(std::size_t slot, const void* return_address);

}  // namespace espalier
