// SPDX-License-Identifier: Apache-2.0
// reveal FUNCTION:BYTES...: makes such calls, and prints what tells of how the MPI made them: a hash of all ranks'
// results, whose bits depend on the order of additions, and how many messages each rank sent.
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 64, calls = 10 };
static int rank, ranks, bytes;
static char *in, *out;

// Sums that differ with any other order.
static void fill(void) {
  double* values = (double*)in;
  srand(7 + rank);
  for (int i = 0; i < bytes / 8 * ranks; i++) values[i] = (rand() - 1e9) * (1 + rank * 7919 % 13 * 1e3) / 3;
}

static void call(const char* name) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const int count = bytes / 8;
  int counts[most_ranks], places[most_ranks];
  for (int i = 0; i < ranks; i++) counts[i] = count, places[i] = i * count;
  if (!strcmp(name, "barrier")) MPI_Barrier(comm);
  if (!strcmp(name, "bcast")) MPI_Bcast(in, count, MPI_DOUBLE, 0, comm);
  if (!strcmp(name, "reduce")) MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_SUM, 0, comm);
  if (!strcmp(name, "allreduce")) MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, comm);
  if (!strcmp(name, "allgather")) MPI_Allgather(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, comm);
  if (!strcmp(name, "allgatherv")) MPI_Allgatherv(in, count, MPI_DOUBLE, out, counts, places, MPI_DOUBLE, comm);
  if (!strcmp(name, "alltoall")) MPI_Alltoall(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, comm);
  if (!strcmp(name, "reduce_scatter")) MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, comm);
  if (!strcmp(name, "reduce_scatter_block")) MPI_Reduce_scatter_block(in, out, count, MPI_DOUBLE, MPI_SUM, comm);
}

static uint64_t hash(const char* data, size_t size) {
  uint64_t result = 1469598103934665603u;
  for (size_t i = 0; i < size; i++) result = (result ^ (unsigned char)data[i]) * 1099511628211u;
  return result;
}

// Messages that this process has sent so far: by count_sends.c where it is preloaded, or by Open MPI's own monitoring.
// Without either, none.
static long sends_by_monitoring(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  unsigned long to_each[most_ranks] = {0};
  long all = 0;
  if (handle == MPI_T_PVAR_HANDLE_NULL) return 0;
  if (MPI_T_pvar_read(session, handle, to_each) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 3);
  for (int i = 0; i < ranks; i++) all += (long)to_each[i];
  return all;
}

static void reveal(const char* name, long (*sends)(void), MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  const size_t room = (size_t)(bytes + 8) * ranks;
  in = calloc(room, 1), out = calloc(room, 1);
  fill();
  call(name);  // connects
  const long before = sends ? sends() : sends_by_monitoring(session, handle);
  for (int i = 0; i < calls; i++) call(name);
  const long mine = (sends ? sends() : sends_by_monitoring(session, handle)) - before;

  long all[most_ranks];
  uint64_t hashes[most_ranks];
  const uint64_t own = hash(in, room) ^ hash(out, room);
  MPI_Gather(&mine, 1, MPI_LONG, all, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  MPI_Gather(&own, 1, MPI_UINT64_T, hashes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("seen %s:%d %016lx", name, bytes, (unsigned long)hash((char*)hashes, sizeof(uint64_t) * ranks));
    for (int i = 0; i < ranks; i++) printf(" %ld", all[i]);
    printf("\n");
  }
  free(in), free(out);
}

int main(int argc, char** argv) {
  int provided, index, count;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > most_ranks) MPI_Abort(MPI_COMM_WORLD, 2);

  long (*sends)(void) = (long (*)(void))dlsym(RTLD_DEFAULT, "sends_so_far");
  MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
  MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
  if (!sends) {
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    if (MPI_T_pvar_get_index("pml_monitoring_messages_count", MPI_T_PVAR_CLASS_SIZE, &index) != MPI_SUCCESS ||
        MPI_T_pvar_handle_alloc(session, index, &world, &handle, &count) != MPI_SUCCESS || count > most_ranks) {
      handle = MPI_T_PVAR_HANDLE_NULL;
    } else {
      MPI_T_pvar_start(session, handle);
    }
  }
  for (int i = 1; i < argc; i++) {
    char name[32];
    if (sscanf(argv[i], "%31[a-z_]:%d", name, &bytes) != 2) MPI_Abort(MPI_COMM_WORLD, 5);
    reveal(name, sends, session, handle);
  }
  MPI_Finalize();
  return 0;
}
