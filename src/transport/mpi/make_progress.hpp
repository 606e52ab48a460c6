// SPDX-License-Identifier: Apache-2.0
// The native MPI's progress, for a caller that waits for something else.
#pragma once

#include "native/native.hpp"
#include "transport/mpi/tags.hpp"

namespace espalier {

// By a question about a message that never comes: of one that is there, the MPI says so without making any progress.
// Not on a communicator of this process alone, where MPICH knows the answer, too.
inline void make_progress(const Native& mpi, MPI_Comm traffic) {
  int any = 0;
  mpi.Iprobe(MPI_ANY_SOURCE, TagLayout::never_used, traffic, &any, MPI_STATUS_IGNORE);
}

}  // namespace espalier
