// SPDX-License-Identifier: Apache-2.0
// What a good programmer would write: the yardstick for what a schedule costs over plain calls.
#pragma once

#include <mpi.h>

namespace bench {

// Allreduce (sum of doubles) by recursive doubling over the native point-to-point calls; a power of two of ranks.
// `scratch`: `count` doubles. Uses a communicator of its own, as a library would.
void hand_written_allreduce(const double* input, double* output, double* scratch, int count, MPI_Comm comm, int rank,
                            int size);

}  // namespace bench
