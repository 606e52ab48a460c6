/* SPDX-License-Identifier: Apache-2.0 */
/* A profiling tool as the MPI standard means it: MPI_X counts and calls PMPI_X. */
#include <mpi.h>
#include <stdio.h>

static int allreduces;

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator) {
  ++allreduces;
  return PMPI_Allreduce(in, out, count, type, op, communicator);
}

int MPI_Finalize(void) {
  printf("tool saw %d\n", allreduces);
  return PMPI_Finalize();
}
