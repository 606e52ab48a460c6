/* SPDX-License-Identifier: Apache-2.0 */
/* A library that starts an MPI, adds up over MPI_COMM_WORLD and ends it. */
#include <mpi.h>
#include <stddef.h>

int run_library(void) {
  int one = 1, sum = 0, size = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum != size;
}
