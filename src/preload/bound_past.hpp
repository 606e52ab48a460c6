// SPDX-License-Identifier: Apache-2.0
// Who calls an MPI past us: objects whose references the loader has bound to it, as under RTLD_DEEPBIND.
#pragma once

#include "preload/loader/module.hpp"

namespace espalier {

// The path of the first object, other than the MPI and its parts, of which a reference to a function that we intercept
// leads into the MPI's code; null if there is none. Only reads memory.
[[nodiscard]] const char* bound_past_us(const Module& mpi_code);

}  // namespace espalier
