// SPDX-License-Identifier: Apache-2.0
// Which MPI a caller uses, and what kind of MPI it is.
#pragma once

#include <optional>

#include "preload/loader/module.hpp"

namespace espalier {

// The MPI library that a caller's own references lead to. `caller` is empty for code made at run time. Programs may
// open their MPI out of everybody else's sight (mpi4py does), so the search starts at the caller.
[[nodiscard]] std::optional<Module> mpi_library_of(const std::optional<Module>& caller);

// Whether calls from `caller` are the MPI's own: from the library itself, or from a plugin of it. What merely
// translates an application's call (Fortran, C++) is not: its call is the application's.
[[nodiscard]] bool is_part_of_mpi(const Module& caller, const Module& mpi);

// Whether the object itself is an MPI library.
[[nodiscard]] bool is_an_mpi(const Module& module);

// "openmpi", "mpich" or "abi": which binary interface the library has; null for one that we do not know.
[[nodiscard]] const char* interface_of(const Module& mpi);

}  // namespace espalier
