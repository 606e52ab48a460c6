// SPDX-License-Identifier: Apache-2.0
// results [promised] FUNCTION:BYTES...: makes such calls, from all kinds of buffers, and compares what comes with what
// the standard says. Operations are sums, and compositions of x -> a x + b, which do not commute; with "promised" only
// sums, and in a broadcast all ranks have the same datatype.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t a, b;
} Map;

static int rank, ranks, count, wrong, promised;
static MPI_Datatype map_type;
static MPI_Op compose_op, sum_op;

static Map value(int of, int at) {
  const uint32_t seed = (uint32_t)(of * 7919 + at * 104729 + 13);
  return (Map){seed * 2654435761u | 1, seed ^ 0x9e3779b9u};
}

static Map compose(Map first, Map then) { return (Map){first.a * then.a, first.b * then.a + then.b}; }
static Map sum(Map left, Map right) { return (Map){left.a + right.a, left.b + right.b}; }

static void compose_all(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *length; i++) ((Map*)inout)[i] = compose(((Map*)in)[i], ((Map*)inout)[i]);
}
static void sum_all(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *length; i++) ((Map*)inout)[i] = sum(((Map*)in)[i], ((Map*)inout)[i]);
}

static Map reduced(int at, MPI_Op op) {
  Map result = value(0, at);
  for (int of = 1; of < ranks; of++)
    result = op == compose_op ? compose(result, value(of, at)) : sum(result, value(of, at));
  return result;
}

static void compare(const char* what, const Map* found, int at, Map expected) {
  if (memcmp(found + at, &expected, sizeof expected) == 0 || wrong++) return;
  printf("wrong %s: rank %d of %d, count %d, element %d\n", what, rank, ranks, count, at);
}

static Map* filled(int length) {
  Map* result = malloc(sizeof(Map) * (size_t)length);
  for (int i = 0; i < length; i++) result[i] = value(rank, i);
  return result;
}

// The root's message is one element of a datatype that has all of it.
static void from_one_of_all(int root) {
  Map* in = filled(count);
  MPI_Datatype all;
  MPI_Type_contiguous(count, map_type, &all);
  MPI_Type_commit(&all);
  MPI_Bcast(in, rank == root ? 1 : count, rank == root ? all : map_type, root, MPI_COMM_WORLD);
  for (int i = 0; i < count; i++) compare("bcast from another datatype", in, i, value(root, i));
  MPI_Type_free(&all);
  free(in);
}

static void rooted(const char* name, int root, MPI_Op op) {
  Map *in = filled(count), *out = filled(count);
  if (!strcmp(name, "bcast")) {
    MPI_Bcast(in, count, map_type, root, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) compare("bcast", in, i, value(root, i));
    if (!promised) from_one_of_all(root);
  } else {
    for (int in_place = 0; in_place < 2; in_place++) {
      if (in_place && root != 0) continue;  // there MPICH 4.0.2 crashes by itself
      const void* from = in_place && rank == root ? MPI_IN_PLACE : in;
      MPI_Reduce(from, out, count, map_type, op, root, MPI_COMM_WORLD);
      for (int i = 0; i < count && rank == root; i++) compare("reduce", out, i, reduced(i, op));
      for (int i = 0; i < count; i++) out[i] = value(rank, i);
    }
  }
  free(in), free(out);
}

static void all_of_one(MPI_Op op) {
  Map *in = filled(count), *out = filled(count);
  for (int in_place = 0; in_place < 2; in_place++) {
    MPI_Allreduce(in_place ? MPI_IN_PLACE : in, out, count, map_type, op, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) compare("allreduce", out, i, reduced(i, op));
    for (int i = 0; i < count; i++) out[i] = value(rank, i);
  }
  free(in), free(out);
}

static void parts(const char* name, MPI_Op op) {
  const int is_block = !strcmp(name, "reduce_scatter_block");
  int counts[64];
  for (int i = 0; i < ranks; i++) counts[i] = count;
  for (int in_place = 0; in_place < 2; in_place++) {
    Map *in = filled(count * ranks), *out = filled(count * ranks);
    const void* from = in_place ? MPI_IN_PLACE : in;
    if (is_block) MPI_Reduce_scatter_block(from, out, count, map_type, op, MPI_COMM_WORLD);
    if (!is_block) MPI_Reduce_scatter(from, out, counts, map_type, op, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) compare(name, out, i, reduced(rank * count + i, op));
    free(in), free(out);
  }
}

static void gathered(const char* name) {
  int counts[64], places[64];
  for (int i = 0; i < ranks; i++) counts[i] = count, places[i] = i * count;
  for (int in_place = 0; in_place < 2; in_place++) {
    Map *in = filled(count), *out = calloc(sizeof(Map), (size_t)count * (size_t)ranks);
    memcpy(out + rank * count, in, sizeof(Map) * (size_t)count);
    const void* from = in_place ? MPI_IN_PLACE : in;
    if (!strcmp(name, "allgather"))
      MPI_Allgather(from, count, map_type, out, count, map_type, MPI_COMM_WORLD);
    else
      MPI_Allgatherv(from, count, map_type, out, counts, places, map_type, MPI_COMM_WORLD);
    for (int i = 0; i < count * ranks; i++) compare(name, out, i, value(i / count, i % count));
    free(in), free(out);
  }
}

static void exchanged(void) {
  for (int in_place = 0; in_place < 2; in_place++) {
    Map *in = filled(count * ranks), *out = filled(count * ranks);
    MPI_Alltoall(in_place ? MPI_IN_PLACE : in, count, map_type, out, count, map_type, MPI_COMM_WORLD);
    for (int i = 0; i < count * ranks; i++) compare("alltoall", out, i, value(i / count, rank * count + i % count));
    free(in), free(out);
  }
}

static void call(const char* name, MPI_Op op) {
  if (!strcmp(name, "barrier")) MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(name, "bcast") || !strcmp(name, "reduce")) rooted(name, 0, op), rooted(name, ranks - 1, op);
  if (!strcmp(name, "allreduce")) all_of_one(op);
  if (!strncmp(name, "reduce_scatter", 14)) parts(name, op);
  if (!strncmp(name, "allgather", 9)) gathered(name);
  if (!strcmp(name, "alltoall")) exchanged();
}

// Predefined operations may run as algorithms that others may not.
static void predefined(const char* name) {
  uint32_t* in = malloc(sizeof(uint32_t) * (size_t)(2 * count * ranks));
  uint32_t* out = malloc(sizeof(uint32_t) * (size_t)(2 * count * ranks));
  const int mine = 2 * count;
  int counts[64];
  for (int i = 0; i < ranks; i++) counts[i] = mine;
  for (int i = 0; i < mine * ranks; i++) in[i] = (uint32_t)(rank + 1) * (uint32_t)(i + 1);
  const uint32_t all = (uint32_t)(ranks * (ranks + 1) / 2);
  int length = 0, first = 0;
  if (!strcmp(name, "reduce"))
    MPI_Reduce(in, out, mine, MPI_UINT32_T, MPI_SUM, 0, MPI_COMM_WORLD), length = rank ? 0 : mine;
  if (!strcmp(name, "allreduce")) MPI_Allreduce(in, out, mine, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD), length = mine;
  if (!strcmp(name, "reduce_scatter"))
    MPI_Reduce_scatter(in, out, counts, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD), length = mine, first = rank * mine;
  if (!strcmp(name, "reduce_scatter_block"))
    MPI_Reduce_scatter_block(in, out, mine, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD), length = mine, first = rank * mine;
  for (int i = 0; i < length; i++) {
    if (out[i] != all * (uint32_t)(first + i + 1) && !wrong++)
      printf("wrong %s of MPI_SUM: rank %d, count %d\n", name, rank, mine);
  }
  free(in), free(out);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 64) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Type_contiguous(2, MPI_UINT32_T, &map_type);
  MPI_Type_commit(&map_type);
  MPI_Op_create(compose_all, 0, &compose_op);
  MPI_Op_create(sum_all, 1, &sum_op);
  promised = argc > 1 && !strcmp(argv[1], "promised");
  for (int i = 1 + promised; i < argc; i++) {
    char name[32];
    int bytes;
    if (sscanf(argv[i], "%31[a-z_]:%d", name, &bytes) != 2) MPI_Abort(MPI_COMM_WORLD, 5);
    count = bytes / (int)sizeof(Map);
    call(name, sum_op);
    if (!promised) call(name, compose_op);
    predefined(name);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && wrong == 0) printf("all right\n");
  MPI_Op_free(&compose_op), MPI_Op_free(&sum_op), MPI_Type_free(&map_type);
  MPI_Finalize();
  return wrong != 0;
}
