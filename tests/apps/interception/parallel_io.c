/* SPDX-License-Identifier: Apache-2.0 */
/* Collective file access, inside which the MPI calls collectives of its own; the program itself makes 1 allreduce. */
#include <mpi.h>
#include <stdio.h>

enum { count = 4096 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, wrong = 0, right = 1, all_right = 0;
  int out[count], in[count];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < count; ++i) out[i] = rank * count + i;

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 0);
  /* Interleaved by single integers, so that two-phase access has to exchange. */
  MPI_Datatype every_size;
  MPI_Type_vector(count, 1, size, MPI_INT, &every_size);
  MPI_Type_commit(&every_size);
  MPI_File_set_view(file, rank * sizeof(int), MPI_INT, every_size, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, out, count, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_File_read_at_all(file, 0, in, count, MPI_INT, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i) wrong += in[i] != out[i];
  MPI_Type_free(&every_size);
  MPI_File_close(&file);

  right = wrong == 0;
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  printf("rank %d: %d wrong\n", rank, wrong + !all_right);
  MPI_Finalize();
  return wrong != 0;
}
