/* SPDX-License-Identifier: Apache-2.0 */
/* No MPI_Init, no MPI_COMM_WORLD: a session's communicator, with 1 allreduce and 1 barrier on it. */
#include <mpi.h>
#include <stdio.h>

int main(void) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm communicator;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "espalier.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &communicator);
  MPI_Group_free(&group);

  int rank, size, sum = -1;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, communicator);
  MPI_Barrier(communicator);
  const int wrong = sum != size * (size - 1) / 2;
  printf("rank %d: %d wrong\n", rank, wrong);

  MPI_Comm_free(&communicator);
  MPI_Session_finalize(&session);
  return wrong;
}
