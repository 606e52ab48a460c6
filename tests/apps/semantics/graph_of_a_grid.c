/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs that are made from a grid, and copies of them. Open MPI 5 takes them for the grid, and what is asked of grids
 * alone then reads one thing as the other. A program that only computes on them does not notice. */
#include "checks.h"

static MPI_Comm grid_of_all(int ranks) {
  int sizes[2] = {0, 0};
  const int is_periodic[2] = {1, 1};
  MPI_Comm grid;
  MPI_Dims_create(ranks, 2, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, is_periodic, 0, &grid);
  return grid;
}

static MPI_Comm ring_of(MPI_Comm comm, int rank, int ranks) {
  const int from = (rank + ranks - 1) % ranks, to = (rank + 1) % ranks, weight = 1;
  MPI_Comm ring;
  MPI_Dist_graph_create_adjacent(comm, 1, &from, &weight, 1, &to, &weight, MPI_INFO_NULL, 0, &ring);
  return ring;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const MPI_Comm grid = grid_of_all(ranks), ring = ring_of(grid, rank, ranks);
  MPI_Comm copy, part;
  MPI_Comm_dup(ring, &copy);
  MPI_Comm_split(ring, 0, rank, &part);
  const MPI_Comm all[] = {grid, ring, copy, part};
  for (int k = 0; k < 4; ++k) expect_right_results(all[k]);
  const int status = conclude();
  MPI_Finalize();
  return status;
}
