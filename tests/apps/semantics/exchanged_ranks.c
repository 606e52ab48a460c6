/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that arrive late at broadcasts, on communicators that come and go: what they report of their waits is under way
 * when a communicator is freed, and must not meet the next one. */
#include "checks.h"

enum { count = 5000, communicators = 6 };

static void broadcast_in(MPI_Comm comm, int turn, int calls) {
  static int data[count];
  const int rank = rank_in(comm), root = turn % size_of(comm);
  for (int call = 0; call < calls; ++call) {
    const int number = 1000 * turn + call;
    for (int i = 0; i < count; ++i) data[i] = rank == root ? number + i : -1;
    if (rank == (root + 1) % size_of(comm)) usleep(1000);
    if (call % 5 == 3) {
      MPI_Request request;
      EXPECT(MPI_Ibcast(data, count, MPI_INT, root, comm, &request) == MPI_SUCCESS);
      EXPECT(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    } else {
      EXPECT(MPI_Bcast(data, count, MPI_INT, root, comm) == MPI_SUCCESS);
    }
    int different = 0;
    for (int i = 0; i < count; ++i) different += data[i] != number + i;
    EXPECT(different == 0);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int turn = 0; turn < communicators; ++turn) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    broadcast_in(comm, turn, 30);
    broadcast_in(comm, turn + 1, 2);
    MPI_Comm_free(&comm);
  }
  broadcast_in(MPI_COMM_WORLD, 0, 20); /* at the end nobody waits for reports */
  const int status = conclude();
  MPI_Finalize();
  return status;
}
