/* SPDX-License-Identifier: Apache-2.0 */
/* A call that fails on one rank only: the next calls on the communicator are right on all ranks. */
#include "checks.h"

enum { length = 1 << 11 }; /* ints: several segments, if they are short */

static int data[length];

/* Rank 1 expects less than it is sent, in one message or in many. */
static void too_long(MPI_Comm comm, int count) {
  const int rank = rank_in(comm);
  const int status = MPI_Bcast(data, rank == 1 ? count / 2 : count, MPI_INT, 0, comm);
  if (rank == 0) EXPECT(status == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < 3; ++k, ++trial) expect_right_results(comm);
}

/* Rank 1's arguments are wrong: it leaves the call before anything is sent. The others' calls end, well or not. */
static void wrong_arguments(MPI_Comm comm) {
  const int rank = rank_in(comm), last = size_of(comm) - 1;
  const int status = MPI_Bcast(data, rank == last ? -1 : 4, MPI_INT, 0, comm);
  if (rank == last) EXPECT(class_of(status) == MPI_ERR_COUNT);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < 3; ++k, ++trial) expect_right_results(comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  /* MPICH 4.0 raises errors of messages there. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  expect_right_results(comm);
  for (int round = 0; round < 3; ++round) {
    too_long(comm, 64);
    too_long(comm, length);
    wrong_arguments(comm);
  }
  MPI_Comm_free(&comm);
  const int status = conclude();
  MPI_Finalize();
  return status;
}
