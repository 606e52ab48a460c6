// SPDX-License-Identifier: Apache-2.0
#include "mpi/entries.hpp"
#include "mpi/intercept.hpp"

namespace espalier {

namespace {

[[gnu::always_inline]] inline Call bcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  return {.collective = Collective::bcast, .output = buffer, .count = count, .type = type, .root = root, .comm = comm};
}

}  // namespace

int entry_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return intercept(bcast(buffer, count, type, root, comm), __builtin_return_address(0));
}

int entry_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  Call call = bcast(buffer, count, type, root, comm);
  call.large = true;
  return intercept(call, __builtin_return_address(0));
}

}  // namespace espalier
