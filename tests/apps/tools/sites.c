/* SPDX-License-Identifier: Apache-2.0 */
/* Collective calls from known places, on communicators with and without a name. */
#include <mpi.h>
#include <stdlib.h>

static double sum;

__attribute__((noinline)) static void called_often(MPI_Comm comm, int times) {
  for (int call = 0; call < times; ++call) {
    double one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  }
}

__attribute__((noinline)) static void called_by_a_pointer(int (*barrier)(MPI_Comm), MPI_Comm comm) { barrier(comm); }

__attribute__((noinline)) static void with_requests(MPI_Comm comm) {
  int value = 0;
  MPI_Request request;
  MPI_Ibcast(&value, 1, MPI_INT, 0, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm named, unnamed;
  MPI_Comm_dup(MPI_COMM_WORLD, &named);
  MPI_Comm_dup(MPI_COMM_WORLD, &unnamed);
  MPI_Comm_set_name(named, "rows \x1b[1m\tof it");
  called_often(MPI_COMM_WORLD, 30);
  called_often(named, 20);
  called_often(unnamed, 10);
  called_by_a_pointer(MPI_Barrier, MPI_COMM_WORLD);
  with_requests(named);
  MPI_Comm_set_name(named, "later");
  called_often(named, 5);
  MPI_Comm_free(&named);
  MPI_Comm_free(&unnamed);
  MPI_Finalize();
  return 0;
}
