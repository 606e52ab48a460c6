/* SPDX-License-Identifier: Apache-2.0 */
/* out_of_step before|after: rank 1 makes a call that no other rank makes, and that its MPI refuses at once, before the
 * ranks meet for the first time or after. A program so wrong may end well natively; where it cannot here, it must not
 * hang, and be told why. */
#include <string.h>

#include "checks.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int is_after = argc > 1 && strcmp(argv[1], "after") == 0;
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (is_after) expect_right_results(comm), ++trial;
  if (rank == 1) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int number = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT(MPI_Ibcast(&number, -1, MPI_INT, 0, comm, &request) != MPI_SUCCESS);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  }
  for (; trial < 5; ++trial) expect_right_results(comm);
  conclude();
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return wrong != 0;
}
