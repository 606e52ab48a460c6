/* SPDX-License-Identifier: Apache-2.0 */
/* Each half of the ranks makes ten all-reductions of its own, of other sizes than the other half's. */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank = 0, ones[64] = {0}, sums[64];
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int i = 0; i < 10; i++) MPI_Allreduce(ones, sums, rank % 2 == 0 ? 1 : 64, MPI_INT, MPI_SUM, half);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
