/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_BOTTOM with a datatype of absolute addresses: two arrays that lie anywhere, as buffers of collectives. */
#include <string.h>

#include "checks.h"

enum { count = 3000 };

/* Where the arrays lie, from MPI_BOTTOM. */
static MPI_Aint displacements[2];

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  EXPECT(*length == 1);
  for (int k = 0; k < 2; ++k) {
    const int* from = (const int*)((char*)in + displacements[k]);
    int* to = (int*)((char*)inout + displacements[k]);
    for (int i = 0; i < count; ++i) to[i] += from[i];
  }
}

/* An array at each of two addresses. */
static MPI_Datatype at_addresses(int* first, int* second) {
  MPI_Datatype type;
  MPI_Aint addresses[2];
  const int lengths[2] = {count, count};
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Get_address(first, &addresses[0]);
  MPI_Get_address(second, &addresses[1]);
  MPI_Type_create_struct(2, lengths, addresses, types, &type);
  MPI_Type_commit(&type);
  return type;
}

static void broadcast(MPI_Comm comm, int root) {
  static int first[count], gap[100], second[count];
  const int rank = rank_in(comm);
  for (int i = 0; i < count; ++i) {
    first[i] = rank == root ? root + i : -1;
    second[i] = rank == root ? root - i : -1;
  }
  memset(gap, 7, sizeof gap);
  MPI_Datatype type = at_addresses(first, second);
  EXPECT(MPI_Bcast(MPI_BOTTOM, 1, type, root, comm) == MPI_SUCCESS);
  int different = 0;
  for (int i = 0; i < count; ++i) different += first[i] != root + i || second[i] != root - i;
  for (int i = 0; i < 100; ++i) different += gap[i] != 0x07070707;
  EXPECT(different == 0);
  MPI_Type_free(&type);
}

/* Only the root has absolute addresses; the others name the same data as contiguous. */
static void broadcast_to_contiguous(MPI_Comm comm, int root) {
  static int first[count], second[count], flat[2 * count];
  const int rank = rank_in(comm);
  for (int i = 0; i < count; ++i) first[i] = root + i, second[i] = root - i;
  memset(flat, -1, sizeof flat);
  if (rank == root) {
    MPI_Datatype type = at_addresses(first, second);
    EXPECT(MPI_Bcast(MPI_BOTTOM, 1, type, root, comm) == MPI_SUCCESS);
    MPI_Type_free(&type);
    return;
  }
  EXPECT(MPI_Bcast(flat, 2 * count, MPI_INT, root, comm) == MPI_SUCCESS);
  int different = 0;
  for (int i = 0; i < count; ++i) different += flat[i] != root + i || flat[count + i] != root - i;
  EXPECT(different == 0);
}

/* Elements of two numbers, and a gap: a message that is cut inside of one can be no good. */
static void broadcast_pairs(MPI_Comm comm, int root) {
  enum { pairs_count = 4001 };
  static struct {
    double value;
    int index;
  } pairs[pairs_count];
  const int rank = rank_in(comm), length = pairs_count;
  for (int i = 0; i < pairs_count; ++i) {
    pairs[i].value = rank == root ? root + i : -1;
    pairs[i].index = rank == root ? i : -1;
  }
  MPI_Aint address;
  MPI_Datatype type;
  MPI_Get_address(pairs, &address);
  MPI_Type_create_hindexed(1, &length, &address, MPI_DOUBLE_INT, &type);
  MPI_Type_commit(&type);
  EXPECT(MPI_Bcast(MPI_BOTTOM, 1, type, root, comm) == MPI_SUCCESS);
  int different = 0;
  for (int i = 0; i < pairs_count; ++i) different += pairs[i].value != root + i || pairs[i].index != i;
  EXPECT(different == 0);
  MPI_Type_free(&type);
}

/* In place: input and output are the same absolute addresses. */
static void add_up(MPI_Comm comm) {
  static int first[count], gap[100], second[count];
  const int rank = rank_in(comm), size = size_of(comm);
  memset(gap, 7, sizeof gap);
  for (int i = 0; i < count; ++i) first[i] = rank + i, second[i] = rank - i;
  MPI_Datatype type = at_addresses(first, second);
  MPI_Get_address(first, &displacements[0]);
  MPI_Get_address(second, &displacements[1]);
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  EXPECT(MPI_Allreduce(MPI_IN_PLACE, MPI_BOTTOM, 1, type, op, comm) == MPI_SUCCESS);
  const int ranks = size * (size - 1) / 2;
  int different = 0;
  for (int i = 0; i < count; ++i) different += first[i] != ranks + size * i || second[i] != ranks - size * i;
  for (int i = 0; i < 100; ++i) different += gap[i] != 0x07070707;
  EXPECT(different == 0);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
}

/* Both buffers are MPI_BOTTOM, and the block of rank 0 has no displacement: still no rank gives to itself at one
 * address. */
static void gather_between_addresses(MPI_Comm comm) {
  enum { max_ranks = 64 };
  static int mine[count], all[max_ranks * count];
  const int rank = rank_in(comm), size = size_of(comm), length = count;
  int counts[max_ranks], places[max_ranks];
  for (int i = 0; i < count; ++i) mine[i] = rank + i;
  for (int i = 0; i < size * count; ++i) all[i] = -1;
  for (int r = 0; r < size; ++r) counts[r] = 1, places[r] = r;
  MPI_Aint address;
  MPI_Datatype sent, unpadded, received;
  MPI_Get_address(mine, &address);
  MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &sent);
  MPI_Get_address(all, &address);
  MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &unpadded);
  MPI_Type_create_resized(unpadded, 0, (MPI_Aint)sizeof mine, &received);
  MPI_Type_commit(&sent);
  MPI_Type_commit(&received);
  EXPECT(MPI_Allgatherv(MPI_BOTTOM, 1, sent, MPI_BOTTOM, counts, places, received, comm) == MPI_SUCCESS);
  int different = 0;
  for (int i = 0; i < size * count; ++i) different += all[i] != i / count + i % count;
  EXPECT(different == 0);
  MPI_Type_free(&sent);
  MPI_Type_free(&unpadded);
  MPI_Type_free(&received);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int size = size_of(MPI_COMM_WORLD);
  for (int root = 0; root < size; ++root) {
    broadcast(MPI_COMM_WORLD, root);
    broadcast_to_contiguous(MPI_COMM_WORLD, root);
    broadcast_pairs(MPI_COMM_WORLD, root);
  }
  add_up(MPI_COMM_WORLD);
  gather_between_addresses(MPI_COMM_WORLD);
  expect_right_results(MPI_COMM_WORLD);
  const int status = conclude();
  MPI_Finalize();
  return status;
}
