/* SPDX-License-Identifier: Apache-2.0 */
/* far_ahead COLLECTIVE...: a rank that need not wait for others in a short collective makes all its calls before any
 * other rank makes the first one. The standard calls such programs wrong, and there are many: where they end natively,
 * they must end under Espalier. */
#include <string.h>

#include "checks.h"

enum { calls = 10000, long_calls = 60, long_count = 40000, root = 0, count = 2, max_ranks = 8, go = 7 };

static int rank, size, counts[max_ranks], places[max_ranks];
static int mine[count], all[count * max_ranks];

/* Each call has values of its own. */
static void fill(int* at, int numbers, int first) {
  for (int i = 0; i < numbers; i++) at[i] = first;
}

static int sum_up_to(int ranks, int call) { return ranks * call + ranks * (ranks - 1) / 2; }

static void call_bcast(int call) {
  fill(mine, count, rank == root ? call : -1);
  MPI_Bcast(mine, count, MPI_INT, root, MPI_COMM_WORLD);
  EXPECT(mine[count - 1] == call);
}
static void call_scatter(int call) {
  if (rank == root) fill(all, count * size, call);
  MPI_Scatter(all, count, MPI_INT, mine, count, MPI_INT, root, MPI_COMM_WORLD);
  EXPECT(mine[count - 1] == call);
}
static void call_scatterv(int call) {
  if (rank == root) fill(all, count * size, call);
  MPI_Scatterv(all, counts, places, MPI_INT, mine, count, MPI_INT, root, MPI_COMM_WORLD);
  EXPECT(mine[count - 1] == call);
}
static void call_gather(int call) {
  fill(mine, count, rank + call);
  MPI_Gather(mine, count, MPI_INT, all, count, MPI_INT, root, MPI_COMM_WORLD);
  if (rank == root) EXPECT(all[count * size - 1] == size - 1 + call);
}
static void call_gatherv(int call) {
  fill(mine, count, rank + call);
  MPI_Gatherv(mine, count, MPI_INT, all, counts, places, MPI_INT, root, MPI_COMM_WORLD);
  if (rank == root) EXPECT(all[count * size - 1] == size - 1 + call);
}
static void call_reduce(int call) {
  fill(mine, count, rank + call);
  MPI_Reduce(mine, all, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  if (rank == root) EXPECT(all[count - 1] == sum_up_to(size, call));
}
static void call_scan(int call) {
  fill(mine, count, rank + call);
  MPI_Scan(mine, all, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(all[count - 1] == sum_up_to(rank + 1, call));
}
static void call_exscan(int call) {
  fill(mine, count, rank + call);
  MPI_Exscan(mine, all, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank > 0) EXPECT(all[count - 1] == sum_up_to(rank, call));
}

static const struct {
  const char* name;
  void (*make)(int call);
  int goes_to_root;
} collectives[] = {{"bcast", call_bcast, 0},   {"scatter", call_scatter, 0}, {"scatterv", call_scatterv, 0},
                   {"gather", call_gather, 1}, {"gatherv", call_gatherv, 1}, {"reduce", call_reduce, 1},
                   {"scan", call_scan, 0},     {"exscan", call_exscan, 0}};

/* So that there is something left to agree on when ranks begin to run ahead. */
static void make_long_calls(void) {
  static int sent[long_count], sums[long_count];
  for (int call = 0; call < long_calls; call++) {
    fill(sent, long_count, rank + call);
    MPI_Allreduce(sent, sums, long_count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(sums[long_count - 1] == sum_up_to(size, call));
    MPI_Bcast(sums, long_count, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Reduce(sent, sums, long_count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  }
}

static void make_calls_of(size_t k) {
  const int goes_to_root = collectives[k].goes_to_root;
  const int is_ahead = (rank == root) != goes_to_root;
  for (int other = 0; other < size && !is_ahead; other++) {
    if ((other == root) != goes_to_root) MPI_Recv(NULL, 0, MPI_INT, other, go, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int call = 0; call < calls; call++) collectives[k].make(call);
  for (int other = 0; other < size && is_ahead; other++) {
    if ((other == root) == goes_to_root) MPI_Send(NULL, 0, MPI_INT, other, go, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_in(MPI_COMM_WORLD);
  size = size_of(MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) counts[i] = count, places[i] = i * count;
  make_long_calls();
  for (int k = 1; k < argc; k++) {
    for (size_t which = 0; which < sizeof collectives / sizeof *collectives; which++) {
      if (strcmp(collectives[which].name, argv[k]) == 0) make_calls_of(which);
    }
    expect_right_results(MPI_COMM_WORLD);
    ++trial;
  }
  conclude();
  MPI_Finalize();
  return wrong != 0;
}
