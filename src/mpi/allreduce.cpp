// SPDX-License-Identifier: Apache-2.0
#include "mpi/entries.hpp"
#include "mpi/intercept.hpp"

namespace espalier {

int entry_Allreduce(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return intercept({Collective::allreduce, input, output, count, type, op, 0, comm}, __builtin_return_address(0));
}

int entry_Allreduce_c(const void* input, void* output, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return intercept({Collective::allreduce, input, output, count, type, op, 0, comm, true}, __builtin_return_address(0));
}

}  // namespace espalier
