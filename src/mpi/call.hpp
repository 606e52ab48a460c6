// SPDX-License-Identifier: Apache-2.0
// A collective call as the application made it.
#pragma once

#include <mpi.h>

#include "core/types.hpp"

namespace espalier {

struct Call {
  Collective collective = Collective::barrier;
  const void* input = nullptr;  // sendbuf
  void* output = nullptr;       // recvbuf; a broadcast's only buffer
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  bool large = false;  // it came by MPI_X_c
};

}  // namespace espalier
