// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace espalier::apps {

// A rank of a communicator.
struct Member {
  MPI_Comm comm = MPI_COMM_NULL;
  int size = 0;
  int rank = 0;

  explicit Member(MPI_Comm which) : comm(which) {
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
  }
};

}  // namespace espalier::apps
