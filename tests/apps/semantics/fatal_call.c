/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 1 expects less than it is sent. With the default error handler that ends the job. */
#include "checks.h"

int main(int argc, char** argv) {
  int data[64] = {0};
  MPI_Init(&argc, &argv);
  MPI_Bcast(data, rank_in(MPI_COMM_WORLD) == 1 ? 32 : 64, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  const int status = conclude();
  MPI_Finalize();
  return status;
}
