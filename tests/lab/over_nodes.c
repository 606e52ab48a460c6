/* SPDX-License-Identifier: Apache-2.0 */
/* What a program may do over nodes: an operation of its own that calls MPI, null buffers where none are needed, and
 * a root that is far ahead of a late rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int wrong;

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
  int started = 0;
  MPI_Initialized(&started);
  for (int i = 0; i < *length; ++i) ((long*)inout)[i] += started ? ((long*)in)[i] : 0;
  (void)type;
}

static long sum_of(int ranks, long element) { return (long)ranks * (ranks - 1) / 2 + ranks * element; }

static void rooted(int count, int root, MPI_Op op, long* sent, long* received) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Reduce(sent, rank == root ? received : NULL, count, MPI_LONG, op, root, MPI_COMM_WORLD);
  for (int i = 0; rank == root && i < count; ++i) wrong += received[i] != sum_of(ranks, i);
  MPI_Gather(sent, count, MPI_LONG, rank == root ? received : NULL, count, MPI_LONG, root, MPI_COMM_WORLD);
  for (int i = 0; rank == root && i < ranks * count; ++i) wrong += received[i] != i / count + i % count;
  MPI_Scatter(rank == root ? sent : NULL, count, MPI_LONG, received, count, MPI_LONG, root, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) wrong += received[i] != root + (long)rank * count + i;
}

int main(int argc, char** argv) {
  static const int counts[] = {1, 2, 7, 1000, 50000};
  int rank, ranks, value;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Op_create(add, 1, &op);
  for (int k = 0; k < 5; ++k) {
    const int count = counts[k];
    long *sent = malloc(sizeof(long) * count * ranks), *received = malloc(sizeof(long) * count * ranks);
    for (int i = 0; i < count * ranks; ++i) sent[i] = rank + i;
    MPI_Allreduce(sent, received, count, MPI_LONG, op, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) wrong += received[i] != sum_of(ranks, i);
    for (int root = 0; root < ranks; root += 4) rooted(count, root, op, sent, received);
    free(sent);
    free(received);
  }
  if (rank == ranks - 1) usleep(500000);
  for (int i = 0; i < 5000; ++i) {
    value = rank == 0 ? i : -1;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    wrong += value != i;
  }
  printf("rank %d: %d wrong\n", rank, wrong);
  MPI_Op_free(&op);
  MPI_Finalize();
  return wrong != 0;
}
