// SPDX-License-Identifier: Apache-2.0
// Functions of an MPI that somebody takes from a library's handle: dlsym(handle, "MPI_Allreduce"), as Python's ctypes,
// Julia and hosts of plugins do. The loader looks behind that handle alone, so what is preloaded is never found there.
// They get a trampoline that belongs to the MPI behind the handle, whichever code calls it.
//
// Nothing is decided before the first call: a program that only looks whether there is an MPI may close it again.
#pragma once

#include <cstddef>

namespace espalier {

// Where the first call of a trampoline goes that was handed out, and all later ones.
[[nodiscard]] void* resolve_handed(std::size_t slot);

}  // namespace espalier
