// SPDX-License-Identifier: Apache-2.0
// The MPI library's own collectives, past anything that is preloaded: what results are compared with, and what the test
// programs talk to each other with.
#pragma once

#include <mpi.h>

namespace espalier::apps {

struct NativeMpi {
  decltype(&MPI_Bcast) bcast;
  decltype(&MPI_Reduce) reduce;
  decltype(&MPI_Allreduce) allreduce;
  decltype(&MPI_Barrier) barrier;
};

// Found on first use; ends the program if there is no MPI library in this process.
[[nodiscard]] const NativeMpi& native_mpi();

}  // namespace espalier::apps
