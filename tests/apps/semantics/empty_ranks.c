/* SPDX-License-Identifier: Apache-2.0 */
/* In each call another rank, or nobody, has nothing to give and nothing to get, and names no memory, as an empty
 * std::vector does, or one address twice. The others know only that nothing goes to it and comes from it. Then a sum,
 * which shows at once when ranks are out of step. (MPICH refuses one address where the counts are one array, too.) */
#include "checks.h"

enum { calls = 300, each = 3, max_ranks = 8 };

static int rank, size, is_empty_here, empty_rank;
static int counts[max_ranks], counts_again[max_ranks], places[max_ranks], byte_places[max_ranks];
static MPI_Datatype types[max_ranks];
static int given[each * max_ranks], gotten[each * max_ranks];
static void *in, *out;

static void prepare(int call) {
  empty_rank = call % (size + 1); /* size: nobody */
  is_empty_here = rank == empty_rank;
  for (int i = 0; i < size; i++) {
    counts[i] = is_empty_here || i == empty_rank ? 0 : each;
    counts_again[i] = counts[i];
    places[i] = i * each;
    byte_places[i] = places[i] * (int)sizeof(int);
    types[i] = MPI_INT;
  }
  for (int i = 0; i < each * size; i++) given[i] = call + 100 * rank + i, gotten[i] = -1;
  in = given;
  out = gotten;
  if (is_empty_here) in = out = call % 2 == 0 ? NULL : given;
}

static void expect_blocks(int call, int own_place) {
  for (int from = 0; from < size; from++) {
    if (counts[from] > 0) EXPECT(gotten[from * each] == call + 100 * from + own_place * each);
  }
}

static void exchange(int call) {
  MPI_Alltoallv(in, counts, places, MPI_INT, out, counts_again, places, MPI_INT, MPI_COMM_WORLD);
  expect_blocks(call, rank);
}

static void exchange_of_types(int call) {
  MPI_Alltoallw(in, counts, byte_places, types, out, counts_again, byte_places, types, MPI_COMM_WORLD);
  expect_blocks(call, rank);
}

static void exchange_later(int call) {
  MPI_Request request;
  MPI_Ialltoallv(in, counts, places, MPI_INT, out, counts_again, places, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_blocks(call, rank);
}

/* Every other call is empty on all ranks; then the root has nothing either. */
static void collect(int call) {
  const int here = call % 2 == 0 ? each : 0;
  for (int i = 0; i < size; i++) counts[i] = here;
  MPI_Gatherv(here ? given : NULL, here, MPI_INT, here ? gotten : NULL, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) expect_blocks(call, 0);
}

static void hand_out(int call) {
  const int here = call % 2 == 0 ? each : 0;
  for (int i = 0; i < size; i++) counts[i] = here;
  MPI_Scatterv(here ? given : NULL, counts, places, MPI_INT, here ? gotten : NULL, here, MPI_INT, 0, MPI_COMM_WORLD);
  if (here > 0) EXPECT(gotten[0] == call + rank * each);
}

int main(int argc, char** argv) {
  /* With an argument, nonblocking calls too: natively, Open MPI 4 hangs in them. */
  void (*const shapes[])(int) = {exchange, exchange_of_types, collect, hand_out, exchange_later};
  const size_t shape_count = sizeof shapes / sizeof *shapes - (argc == 1);
  MPI_Init(&argc, &argv);
  rank = rank_in(MPI_COMM_WORLD);
  size = size_of(MPI_COMM_WORLD);
  for (size_t shape = 0; shape < shape_count; shape++) {
    for (int call = 0; call < calls; call++) {
      prepare(call);
      shapes[shape](call);
      int sum = 1;
      MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      EXPECT(sum == size);
    }
  }
  conclude();
  MPI_Finalize();
  return wrong != 0;
}
