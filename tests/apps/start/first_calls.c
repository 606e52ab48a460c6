/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that a job begins with, and whether each rank got what MPI promises: first those that a start of ours would
 * meet if it were not distinguished. Prints "N wrong, M active" over all ranks on rank 0. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int is_active(void) {
  int (*const active)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "espalier_active");
  return active ? active() : 0;
}

static int try_allreduce(int rank, int ranks) {
  const uint64_t mine[2] = {(uint64_t)rank + 100, (uint64_t)rank};
  uint64_t least[2] = {0, 0};
  MPI_Allreduce(mine, least, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  (void)ranks;
  return least[0] != 100 || least[1] != 0;
}

static int try_bcast(int rank) {
  int numbers[4] = {rank, rank, rank, rank};
  MPI_Bcast(numbers, 4, MPI_INT, 0, MPI_COMM_WORLD);
  return numbers[0] != 0 || numbers[3] != 0;
}

/* A message of any kind: nothing but what the application sent may arrive. */
static int try_wildcard(int rank, int ranks) {
  const int mine = 7 * rank;
  int got = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % ranks, 3, MPI_COMM_WORLD, &request);
  MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return got != 7 * ((rank + ranks - 1) % ranks) || status.MPI_TAG != 3;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const first = argc > 1 ? argv[1] : "allreduce";
  int wrong[2] = {0, is_active()}, sums[2] = {0, 0};
  if (strcmp(first, "wildcard") == 0) wrong[0] += try_wildcard(rank, ranks);
  if (strcmp(first, "bcast") == 0) wrong[0] += try_bcast(rank);
  for (int times = 0; times < 20; ++times) wrong[0] += try_allreduce(rank, ranks) + try_bcast(rank);
  MPI_Reduce(wrong, sums, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong, %d active\n", sums[0], sums[1]);
  MPI_Finalize();
  return 0;
}
