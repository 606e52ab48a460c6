/* SPDX-License-Identifier: Apache-2.0 */
/* Short calls with a root, before the ranks have met on the communicator. Then they meet by something else than such a
 * call: where a persistent request is made. One rank names the same data by a datatype of its own. */
#include "checks.h"

enum { rounds = 20 };

static int number, sum;

static void broadcast(MPI_Comm comm, MPI_Datatype type, int round) {
  const int rank = rank_in(comm);
  int data[4] = {rank == 0 ? round : -1, rank, rank, rank == 0 ? round + 1 : -1};
  EXPECT(MPI_Bcast(data, rank == 1 ? 1 : 4, rank == 1 ? type : MPI_INT, 0, comm) == MPI_SUCCESS);
  EXPECT(data[0] == round && data[1] == 0 && data[3] == round + 1);
}

static void meet(MPI_Comm comm) {
  MPI_Request request;
  number = rank_in(comm);
  MPI_Allreduce_init(&number, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  EXPECT(sum == size_of(comm) * (size_of(comm) - 1) / 2);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype four;
  MPI_Type_contiguous(4, MPI_INT, &four);
  MPI_Type_commit(&four);
  for (int round = 0; round < 3; ++round) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int k = 0; k < rounds; ++k) broadcast(comm, four, k);
    meet(comm);
    for (int k = 0; k < rounds; ++k) broadcast(comm, four, k);
    MPI_Barrier(comm);
    for (int k = 0; k < rounds; ++k) broadcast(comm, four, k);
    MPI_Comm_free(&comm);
  }
  MPI_Type_free(&four);
  const int status = conclude();
  MPI_Finalize();
  return status;
}
