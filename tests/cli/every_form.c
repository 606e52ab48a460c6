/* SPDX-License-Identifier: Apache-2.0 */
/* Of each rank: 2 barriers, 5 nonblocking ones, 1 exchange with its neighbours in a ring, 3 nonblocking ones. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int k = 0; k < 2; ++k) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Request requests[5];
  for (int k = 0; k < 5; ++k) MPI_Ibarrier(MPI_COMM_WORLD, &requests[k]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Waitall(4, requests + 1, MPI_STATUSES_IGNORE);

  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int is_closed = 1;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_closed, 0, &ring);
  const double mine[4] = {0};
  double theirs[8];
  MPI_Neighbor_allgather(mine, 4, MPI_DOUBLE, theirs, 4, MPI_DOUBLE, ring);
  for (int k = 0; k < 3; ++k) {
    MPI_Ineighbor_allgather(mine, 4, MPI_DOUBLE, theirs, 4, MPI_DOUBLE, ring, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
