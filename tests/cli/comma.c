/* SPDX-License-Identifier: Apache-2.0 */
/* One all-reduction, and a barrier, in the environment's locale; says how 1.5 is written there. */
#include <locale.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank = 0, one = 1, sum = 0;
  setlocale(LC_ALL, "");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%.1f\n", 1.5);
  MPI_Finalize();
  return 0;
}
