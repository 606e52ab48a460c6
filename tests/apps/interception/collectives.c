/* SPDX-License-Identifier: Apache-2.0 */
/* An ordinary program with the four collectives: 2 broadcasts, 2 reductions, 3 allreduces, 1 barrier. */
#include <mpi.h>
#include <stdio.h>

enum { count = 1000 };

static void multiply(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *length; ++i) ((int*)inout)[i] *= ((int*)in)[i];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int last = size - 1, ranks_sum = size * (size - 1) / 2;
  double numbers[count], sums[count];
  int value = rank, sum = -1;

  for (int root = 0; root < size; root += last) {
    for (int i = 0; i < count; ++i) numbers[i] = rank == root ? root + i : -1;
    MPI_Bcast(numbers, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) wrong += numbers[i] != root + i;
  }

  for (int i = 0; i < count; ++i) numbers[i] = rank + i;
  MPI_Reduce(numbers, sums, count, MPI_DOUBLE, MPI_SUM, last, MPI_COMM_WORLD);
  for (int i = 0; rank == last && i < count; ++i) wrong += sums[i] != ranks_sum + i * size;
  MPI_Reduce(rank ? &value : MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  wrong += value != (rank ? rank : last);

  value = rank;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  wrong += sum != ranks_sum;
  MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) wrong += numbers[i] != i;
  MPI_Op product;
  MPI_Op_create(multiply, 1, &product);
  value = 2;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, product, MPI_COMM_WORLD);
  wrong += sum != 1 << size;
  MPI_Op_free(&product);

  MPI_Barrier(MPI_COMM_WORLD);
  printf("rank %d: %d wrong\n", rank, wrong);
  MPI_Finalize();
  return wrong != 0;
}
