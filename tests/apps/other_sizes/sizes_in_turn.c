/* SPDX-License-Identifier: Apache-2.0
 * Sizes one after the other on communicators of two ranks each, whose members then meet others that have learnt
 * something else; on all ranks; and on two communicators of all ranks at once, a thread each, so that ranks learn in
 * another order. Every result is checked.
 *
 *     mpiexec -n 4 sizes_in_turn CALLS */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { max_ints = 1 << 15 };

static __thread int* sent;
static __thread int* received;
static int failures;

static void make_room(void) {
  sent = calloc(4 * max_ints, sizeof(int));
  received = calloc(4 * max_ints, sizeof(int));
}

static void expect(int value, int expected, const char* call, int ints) {
  if (value == expected || __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED) > 10) return;
  fprintf(stderr, "%s of %d: %d in the place of %d\n", call, ints, value, expected);
}

static void exchange(MPI_Comm comm, int ints, int number) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int to = 0; to < size; ++to) sent[to * ints] = sent[to * ints + ints - 1] = number + 100 * rank + to;
  MPI_Alltoall(sent, ints, MPI_INT, received, ints, MPI_INT, comm);
  for (int from = 0; from < size; ++from) {
    expect(received[from * ints], number + 100 * from + rank, "alltoall", ints);
    expect(received[from * ints + ints - 1], number + 100 * from + rank, "alltoall", ints);
  }
}

static void add(MPI_Comm comm, int ints, int number) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  sent[0] = sent[ints - 1] = number + rank;
  MPI_Allreduce(sent, received, ints, MPI_INT, MPI_SUM, comm);
  const int sum = size * number + size * (size - 1) / 2;
  expect(received[0], sum, "allreduce", ints);
  expect(received[ints - 1], sum, "allreduce", ints);
}

static void collect(MPI_Comm comm, int ints, int number) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  sent[0] = sent[ints - 1] = number + rank;
  MPI_Allgather(sent, ints, MPI_INT, received, ints, MPI_INT, comm);
  for (int from = 0; from < size; ++from) {
    expect(received[from * ints], number + from, "allgather", ints);
    expect(received[from * ints + ints - 1], number + from, "allgather", ints);
  }
}

static void call_both(MPI_Comm comm, int ints, int calls) {
  for (int number = 0; number < calls; ++number) exchange(comm, ints, number);
  for (int number = 0; number < calls; ++number) add(comm, ints, number);
}

/* All ranks are in one of them. */
static MPI_Comm pair_of(int color) {
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, color, 0, &pair);
  return pair;
}

struct turns {
  MPI_Comm comm;
  int first, calls;
};

static void* take_turns(void* argument) {
  const struct turns* turns = argument;
  make_room();
  for (int ints = turns->first; ints <= max_ints; ints *= 4) {
    for (int number = 0; number < turns->calls; ++number) collect(turns->comm, ints, number);
  }
  return NULL;
}

/* Sizes of one are between those of the other. */
static void at_once(int calls) {
  struct turns turns[2] = {{MPI_COMM_NULL, 1 << 10, calls}, {MPI_COMM_NULL, 1 << 11, calls}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) MPI_Comm_split(MPI_COMM_WORLD, 0, -i, &turns[i].comm);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, take_turns, &turns[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&turns[i].comm);
}

int main(int argc, char** argv) {
  const int calls = argc > 1 ? atoi(argv[1]) : 200;
  int rank, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  make_room();

  MPI_Comm alike = pair_of(rank / 2), mixed = pair_of(rank == 1 || rank == 2);
  for (int ints = 1 << 11; ints <= 1 << 13; ints *= 2) {
    if (rank < 2 || ints == 1 << 13) call_both(alike, ints, calls); /* the second pair learns less */
  }
  call_both(mixed, 1 << 14, calls);
  call_both(alike, 1 << 15, calls);
  for (int ints = 1 << 11; ints <= 1 << 14; ints *= 2) call_both(MPI_COMM_WORLD, ints, calls);
  if (provided == MPI_THREAD_MULTIPLE) at_once(calls);
  MPI_Comm_free(&mixed);
  MPI_Comm_free(&alike);

  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && failures == 0) puts("all results are right");
  MPI_Finalize();
  return failures != 0;
}
