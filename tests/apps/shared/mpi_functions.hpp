// SPDX-License-Identifier: Apache-2.0
// MPI's collectives as functions that can be handed over: those that a program calls, and those behind them.
#pragma once

#include <mpi.h>

namespace espalier::apps {

struct MpiFunctions {
#define FUNCTION(name, mpi_name) decltype(&MPI_##mpi_name) name;
#include "shared/mpi_functions.def"
#undef FUNCTION
};

// As every call of this program: what is preloaded comes first.
[[nodiscard]] const MpiFunctions& called_mpi();

// The MPI library's own, past anything that is preloaded: what results are compared with, and what the test programs
// talk to each other with. Found on first use; ends the program if there is no MPI library in this process.
[[nodiscard]] const MpiFunctions& native_mpi();

}  // namespace espalier::apps
