/* SPDX-License-Identifier: Apache-2.0 */
/* A job whose collectives take schedules of ours, the flat ones and the general ones, on communicators that come and
 * go. Every result is looked at. Prints "N wrong" on rank 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 40000, rounds = 12 };

static long try_all(MPI_Comm comm, int count, int seed) {
  static int in[most], out[most];
  int rank, ranks;
  long wrong = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int root = seed % ranks;
  for (int k = 0; k < count; ++k) in[k] = rank + k % 7 + seed;
  MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm);
  for (int k = 0; k < count; ++k) wrong += out[k] != ranks * (ranks - 1) / 2 + ranks * (k % 7 + seed);
  MPI_Reduce(in, out, count, MPI_INT, MPI_MAX, root, comm);
  for (int k = 0; k < count && rank == root; ++k) wrong += out[k] != ranks - 1 + k % 7 + seed;
  MPI_Bcast(in, count, MPI_INT, root, comm);
  for (int k = 0; k < count; ++k) wrong += in[k] != root + k % 7 + seed;
  MPI_Barrier(comm);
  return wrong;
}

int main(int argc, char** argv) {
  int rank;
  long wrong = 0, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, round % 2 ? rank % 2 : 0, rank, &part);
    for (int count = 1; count <= most; count *= 200) {
      wrong += try_all(MPI_COMM_WORLD, count, round) + try_all(part, count, round);
    }
    MPI_Comm_free(&part);
  }
  MPI_Reduce(&wrong, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%ld wrong\n", sum);
  MPI_Finalize();
  return sum != 0;
}
