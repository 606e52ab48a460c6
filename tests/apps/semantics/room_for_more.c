/* SPDX-License-Identifier: Apache-2.0 */
/* The root of a gather says that more comes from each rank than does. MPI does not allow that, and where blocks then
 * lie is each MPI's own affair; but no MPI refuses it, and the other ranks know nothing of it. Then a sum, which shows
 * at once when ranks are out of step. */
#include "checks.h"

enum { calls = 200, given = 3, room = 5, max_ranks = 8 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  static int mine[given], all[room * max_ranks];
  for (int call = 0; call < calls; call++) {
    for (int i = 0; i < given; i++) mine[i] = 1000 * call + 10 * rank + i;
    MPI_Gather(mine, given, MPI_INT, all, room, MPI_INT, call % size, MPI_COMM_WORLD);
    int sum = 1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(sum == size);
  }
  conclude();
  MPI_Finalize();
  return wrong != 0;
}
