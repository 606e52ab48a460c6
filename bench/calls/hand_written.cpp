// SPDX-License-Identifier: Apache-2.0
#include "hand_written.hpp"

#include <cstddef>

#include "../harness/native.hpp"

namespace bench {

void hand_written_allreduce(const double* input, double* output, double* scratch, int count, MPI_Comm comm, int rank,
                            int size) {
  const espalier::Native& mpi = native();
  const int bytes = count * static_cast<int>(sizeof(double));
  const double* sum = input;
  for (int distance = 1; distance < size; distance *= 2) {
    const int partner = rank ^ distance;
    MPI_Request requests[2];
    mpi.Irecv(scratch, bytes, MPI_BYTE, partner, 1, comm, &requests[0]);
    mpi.Isend(sum, bytes, MPI_BYTE, partner, 1, comm, &requests[1]);
    mpi.Wait(&requests[0], MPI_STATUS_IGNORE);
    mpi.Wait(&requests[1], MPI_STATUS_IGNORE);  // the sum may be overwritten only now
    if (partner < rank) {
      for (int i = 0; i < count; i++) output[i] = scratch[i] + sum[i];
    } else {
      for (int i = 0; i < count; i++) output[i] = sum[i] + scratch[i];
    }
    sum = output;
  }
}

}  // namespace bench
