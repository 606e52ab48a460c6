/* SPDX-License-Identifier: Apache-2.0 */
/* Errors that belong to no communicator, after calls of every form: prints the class of each on rank 0, if it comes
 * back. The argument says who has MPI_ERRORS_RETURN: "world", "self" or "both". */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int class_of(int code) {
  int found = code;
  MPI_Error_class(code, &found);
  return found;
}

int main(int argc, char** argv) {
  const char* const quiet = argc > 1 ? argv[1] : "world";
  MPI_Init(&argc, &argv);
  if (strcmp(quiet, "self") != 0) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (strcmp(quiet, "world") != 0) MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int mine = 1, sum = 0, rank = 0;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm none = MPI_COMM_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Request no_request = MPI_REQUEST_NULL;
  const int codes[] = {MPI_Barrier(MPI_COMM_NULL),   MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL),
                       MPI_Comm_free(&none),         MPI_Type_commit(&type),
                       MPI_Info_free(&info),         MPI_Start(&no_request),
                       MPI_Request_free(&no_request)};
  for (unsigned k = 0; rank == 0 && k < sizeof codes / sizeof *codes; ++k) printf("%d ", class_of(codes[k]));
  if (rank == 0) printf("\n");
  MPI_Finalize();
  return 0;
}
