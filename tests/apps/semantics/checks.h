/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of this folder share. Each checks itself and says "rank R: N wrong". They are C and C++. */
#ifndef ESPALIER_TESTS_SEMANTICS_CHECKS_H
#define ESPALIER_TESTS_SEMANTICS_CHECKS_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int wrong = 0;

#define EXPECT(condition)                                                       \
  do {                                                                          \
    if (!(condition)) {                                                         \
      ++wrong;                                                                  \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                           \
  } while (0)

static inline int rank_in(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

static inline int size_of(MPI_Comm comm) {
  int size;
  MPI_Comm_size(comm, &size);
  return size;
}

static inline int class_of(int code) {
  int error_class;
  MPI_Error_class(code, &error_class);
  return error_class;
}

/* What makes the data of one trial differ from that of the one before; all ranks count alike. */
static int trial = 0;

/* A sum and a long broadcast from the last rank: right results. */
static inline void expect_right_results(MPI_Comm comm) {
  const int number = trial * 1000;
  enum { count = 200000 };
  static int data[count];
  const int rank = rank_in(comm), size = size_of(comm);
  int mine = rank + number, sum = 0;
  EXPECT(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
  EXPECT(sum == size * (size - 1) / 2 + size * number);
  for (int i = 0; i < count; ++i) data[i] = rank == size - 1 ? number + i : -1;
  EXPECT(MPI_Bcast(data, count, MPI_INT, size - 1, comm) == MPI_SUCCESS);
  int different = 0;
  for (int i = 0; i < count; ++i) different += data[i] != number + i;
  EXPECT(different == 0);
}

/* On every rank, as the last thing before MPI_Finalize. */
static inline int conclude(void) {
  printf("rank %d: %d wrong\n", rank_in(MPI_COMM_WORLD), wrong);
  fflush(stdout);
  return wrong != 0;
}

#endif
