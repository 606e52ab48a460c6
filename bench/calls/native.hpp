// SPDX-License-Identifier: Apache-2.0
// The MPI's own functions, called past Espalier: the benchmark's baseline must not go through what it measures.
#pragma once

#include <mpi.h>

namespace bench {

struct Native {
  decltype(&MPI_Bcast) bcast;
  decltype(&MPI_Reduce) reduce;
  decltype(&MPI_Allreduce) allreduce;
  decltype(&MPI_Barrier) barrier;
  decltype(&MPI_Isend) isend;
  decltype(&MPI_Irecv) irecv;
  decltype(&MPI_Wait) wait;
};

// Looked up in the MPI library itself. Ends the program with a message if that is not possible.
[[nodiscard]] const Native& native();

}  // namespace bench
