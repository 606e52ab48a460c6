/* SPDX-License-Identifier: Apache-2.0 */
/* All-reductions of two lengths until it is killed. Rank 0 says once that they run. */
#include <mpi.h>
#include <stdio.h>

enum { elements = 1 << 16 };
static double mine[elements], sum[elements];

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0;; i++) {
    MPI_Allreduce(mine, sum, i % 2 ? 1 : elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (i != 3 || rank != 0) continue;
    printf("running\n");
    fflush(stdout);
  }
}
