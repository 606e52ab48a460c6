/* SPDX-License-Identifier: Apache-2.0 */
/* The large-count forms of MPI 4: 1 each of MPI_Bcast_c, MPI_Reduce_c and MPI_Allreduce_c. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, wrong = 0, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const MPI_Count count = 3;
  int values[3] = {rank, rank + 1, rank + 2}, sums[3] = {-1, -1, -1};
  const int ranks_sum = size * (size - 1) / 2;

  MPI_Allreduce_c(values, sums, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) wrong += sums[i] != ranks_sum + i * size;
  MPI_Reduce_c(values, sums, count, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < count; ++i) wrong += sums[i] != size - 1 + i;
  MPI_Bcast_c(values, count, MPI_INT, size - 1, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) wrong += values[i] != size - 1 + i;

  printf("rank %d: %d wrong\n", rank, wrong);
  MPI_Finalize();
  return wrong != 0;
}
