/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions before MPI_Init, which start the MPI before it: "open" keeps one of them open, "two" opens another one,
 * "late" lets ranks arrive at MPI_Init at different times. Prints the sum of all ranks, and how many are
 * active, on rank 0. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_active(void) {
  int (*const active)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "espalier_active");
  return active ? active() : 0;
}

static void meet_in_session(MPI_Session* session, int is_late) {
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session);
  MPI_Group_from_session_pset(*session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "sessions.c", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Barrier(comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (is_late && rank != 0) usleep(300000);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
}

int main(int argc, char** argv) {
  const char* const situation = argc > 1 ? argv[1] : "open";
  MPI_Session first, second;
  meet_in_session(&first, strcmp(situation, "late") == 0);
  if (strcmp(situation, "two") == 0) MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
  MPI_Init(&argc, &argv);
  int mine[2] = {1, is_active()}, sums[2] = {0, 0}, rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(mine, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, %d active\n", sums[0], sums[1]);
  MPI_Finalize();
  if (strcmp(situation, "two") == 0) MPI_Session_finalize(&second);
  MPI_Session_finalize(&first);
  return 0;
}
