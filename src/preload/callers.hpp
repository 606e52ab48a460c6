// SPDX-License-Identifier: Apache-2.0
// Whose call is this? The MPI libraries of this process, and who uses which.
#pragma once

#include "preload/loader/caller_ranges.hpp"
#include "preload/loader/module.hpp"
#include "preload/trampolines/trampolines.hpp"

namespace espalier {

struct MpiLibrary {
  Module module;
  void* handle;                     // kept open, so it stays loaded
  void* native[intercepted_count];  // its own PMPI_X; null where it has none
};

// The MPI that is served is the first one that a call came for. Any other is left alone.
inline constexpr int served_mpi = 0;

// Looks a caller up by where it resumes; a module is classified at its first call and pinned. A caller that leads to no
// MPI by itself is taken to use the one that is served.
[[nodiscard]] Caller caller_at(const void* return_address);

// The index of an MPI library, which is kept from now on; -1 if it has gone, or there are too many.
[[nodiscard]] int registered(const Module& mpi);

// How many MPI libraries calls came for so far, and each of them.
[[nodiscard]] int known_mpis();
[[nodiscard]] const MpiLibrary& known_mpi(int index);

}  // namespace espalier
