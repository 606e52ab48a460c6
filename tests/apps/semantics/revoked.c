/* SPDX-License-Identifier: Apache-2.0 */
/* Fault tolerance (ULFM): a rank dies, the others learn of it in whatever call they are, revoke the communicator, make
 * a smaller one and go on. Launched with --with-ft ulfm. */
#include <signal.h>

#include "checks.h"

/* After mpi.h, which it needs. */
#include <mpi-ext.h>

static int data[1 << 18];

static int is_failure(int code) {
  const int error_class = class_of(code);
  return error_class == MPIX_ERR_PROC_FAILED || error_class == MPIX_ERR_REVOKED;
}

/* One rank revokes while all others wait in a call that it does not make. */
static void revoke_ends_waits(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  expect_right_results(comm);
  MPI_Barrier(MPI_COMM_WORLD); /* nobody is in those calls any more when it is revoked */
  if (rank_in(comm) == 0) {
    usleep(100000);
    EXPECT(MPIX_Comm_revoke(comm) == MPI_SUCCESS);
  } else {
    int one = 1, sum;
    EXPECT(class_of(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm)) == MPIX_ERR_REVOKED);
  }
  EXPECT(class_of(MPI_Bcast(data, 1 << 18, MPI_INT, 0, comm)) == MPIX_ERR_REVOKED);
  EXPECT(class_of(MPI_Barrier(comm)) == MPIX_ERR_REVOKED);
  MPI_Comm smaller;
  EXPECT(MPIX_Comm_shrink(comm, &smaller) == MPI_SUCCESS);
  expect_right_results(smaller);
  MPI_Comm_free(&smaller);
  MPI_Comm_free(&comm);
}

/* Calls until one fails, then revoke so that everybody learns of it. */
static void work_until_failure(MPI_Comm comm) {
  int code = MPI_SUCCESS;
  for (int k = 0; code == MPI_SUCCESS; ++k) {
    int one = 1, sum;
    code = k % 2 ? MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm)
                 : MPI_Bcast(data, 1 << 18, MPI_INT, k % size_of(comm), comm);
    if (k == 20 && rank_in(MPI_COMM_WORLD) == size_of(MPI_COMM_WORLD) - 1) raise(SIGKILL);
  }
  EXPECT(is_failure(code));
  MPIX_Comm_revoke(comm);
}

static void survivors_go_on(void) {
  MPI_Comm comm, smaller;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  work_until_failure(comm);
  EXPECT(MPIX_Comm_shrink(comm, &smaller) == MPI_SUCCESS);
  EXPECT(size_of(smaller) == size_of(comm) - 1);
  int flag = 1;
  EXPECT(MPIX_Comm_agree(smaller, &flag) == MPI_SUCCESS && flag == 1);
  for (int k = 0; k < 5; ++k, ++trial) expect_right_results(smaller);
  MPI_Comm copy;
  MPI_Comm_dup(smaller, &copy);
  expect_right_results(copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
}

/* Open MPI 5.0 by itself does not always come back from MPI_Finalize after a process died. */
static void leave(int signal_number) {
  (void)signal_number;
  _exit(0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  revoke_ends_waits();
  survivors_go_on();
  const int status = conclude();
  signal(SIGALRM, leave);
  alarm(5);
  MPI_Finalize();
  return status;
}
