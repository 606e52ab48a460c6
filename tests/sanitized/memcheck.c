/* SPDX-License-Identifier: Apache-2.0 */
/* What a program may do with the four collectives, on one own algorithm after the other: datatypes with gaps that hold
 * nothing, in place, an operation of its own, no elements, communicators that come and go. Three or more ranks. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, wrong;

static void multiply(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *length; ++i) ((int*)inout)[i] *= ((int*)in)[i];
}

/* Every second double of a buffer whose others were never written. */
static void bcast_with_gaps(int count, int root, MPI_Comm comm, int me) {
  MPI_Datatype every_second;
  MPI_Type_vector(count, 1, 2, MPI_DOUBLE, &every_second);
  MPI_Type_commit(&every_second);
  double* data = malloc(sizeof *data * (2 * count + 1));
  for (int i = 0; i < count; ++i) data[2 * i] = me == root ? i + root : -1;
  MPI_Bcast(data, 1, every_second, root, comm);
  for (int i = 0; i < count; ++i) wrong += data[2 * i] != i + root;
  free(data);
  MPI_Type_free(&every_second);
}

static void reductions(int count, int root, MPI_Comm comm, int me, int members) {
  const int ranks_sum = members * (members - 1) / 2;
  double* numbers = malloc(sizeof *numbers * (count + 1));
  double* sums = malloc(sizeof *sums * (count + 1));
  for (int i = 0; i < count; ++i) numbers[i] = me + i;
  MPI_Reduce(numbers, sums, count, MPI_DOUBLE, MPI_SUM, root, comm);
  for (int i = 0; me == root && i < count; ++i) wrong += sums[i] != ranks_sum + (double)i * members;
  MPI_Allreduce(numbers, sums, count, MPI_DOUBLE, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) wrong += sums[i] != ranks_sum + (double)i * members;
  MPI_Reduce(me == root ? MPI_IN_PLACE : sums, sums, count, MPI_DOUBLE, MPI_MAX, root, comm);
  MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_DOUBLE, MPI_MIN, comm);
  for (int i = 0; i < count; ++i) wrong += numbers[i] != i;
  free(numbers);
  free(sums);
}

static void own_operation(int count, MPI_Comm comm, int members) {
  MPI_Op product;
  MPI_Op_create(multiply, 0, &product);
  int* factors = malloc(sizeof *factors * (count + 1));
  for (int i = 0; i < count; ++i) factors[i] = 2;
  MPI_Allreduce(MPI_IN_PLACE, factors, count, MPI_INT, product, comm);
  for (int i = 0; i < count; ++i) wrong += factors[i] != 1 << members;
  free(factors);
  MPI_Op_free(&product);
}

static void pairs(MPI_Comm comm, int me, int members) {
  struct {
    double value;
    int place;
  } mine = {(double)(me % 2), me}, largest;
  MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  wrong += largest.place != (members > 1);
}

static void everything_on(MPI_Comm comm) {
  static const int counts[] = {0, 1, 300, 3000};
  int me, members;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  for (int i = 0; i < 4; ++i) {
    bcast_with_gaps(counts[i], members - 1, comm, me);
    reductions(counts[i], 0, comm, me, members);
  }
  own_operation(100, comm, members);
  pairs(comm, me, members);
  MPI_Barrier(comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int (*force)(const char*) = (int (*)(const char*))dlsym(RTLD_DEFAULT, "espalier_force");
  for (int i = 1; i < argc; ++i) {
    MPI_Comm some;
    wrong += !force || force(argv[i]) != 0;
    everything_on(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &some);
    everything_on(some);
    MPI_Comm_free(&some);
  }
  printf("rank %d: %d wrong\n", rank, wrong);
  MPI_Finalize();
  return wrong != 0;
}
