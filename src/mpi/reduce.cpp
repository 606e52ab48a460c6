// SPDX-License-Identifier: Apache-2.0
#include "mpi/entries.hpp"
#include "mpi/intercept.hpp"

namespace espalier {

int entry_Reduce(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return intercept({Collective::reduce, input, output, count, type, op, root, comm}, __builtin_return_address(0));
}

int entry_Reduce_c(const void* input, void* output, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                   MPI_Comm comm) {
  return intercept({Collective::reduce, input, output, count, type, op, root, comm, true}, __builtin_return_address(0));
}

}  // namespace espalier
