/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the calls of calls.inc, which programs.py writes: program NUMBERS SEEN. Each argument of a call is a variable
 * by the standard's name for it. What they hold, and must hold afterwards, stands in NUMBERS. For each call SEEN.<rank>
 * gets its name, how often it ran on a schedule of Espalier's, and how many numbers are wrong. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#ifndef MPI_SESSION_NULL
typedef struct NoSession* MPI_Session; /* not among its functions, so of any type */
#endif

#ifdef DECLARES_ALL /* also what this MPI lacks, for the preload to have it */
#define ESPALIER_FUNCTION(name, result, parameters) __attribute__((weak)) result name parameters;
#include "preload/trampolines/functions.inc"
#endif

enum { anything = -2, line = 3 * LENGTH + 2 + 4 * RANKS };

static int table[CASES][RANKS][line];

static int rank, all_wrong;
static int sendbuf[LENGTH], recvbuf[LENGTH], expected[LENGTH];
static int sendcount, recvcount, sendcounts[RANKS], sdispls[RANKS], recvcounts[RANKS], rdispls[RANKS];
static MPI_Count large_sendcount, large_recvcount, large_sendcounts[RANKS], large_recvcounts[RANKS];
static MPI_Aint large_sdispls[RANKS], large_rdispls[RANKS];

static MPI_Request handle;
static FILE* seen;
static int (*count_calls)(const char* collective, unsigned long long* own, unsigned long long* native);
static unsigned long long own_before;

static void read_table(const char* path) {
  int* const numbers = &table[0][0][0];
  FILE* const file = fopen(path, "r");
  for (int i = 0; i < CASES * RANKS * line; ++i) all_wrong += fscanf(file, "%d", &numbers[i]) != 1;
  fclose(file);
}

static void open_seen(const char* prefix) {
  char path[4096];
  snprintf(path, sizeof path, "%s.%d", prefix, rank);
  seen = fopen(path, "w");
  *(void**)&count_calls = dlsym(RTLD_DEFAULT, "espalier_calls");
}

static unsigned long long own_calls(const char* collective) {
  unsigned long long own = 0, native = 0;
  if (count_calls) count_calls(collective, &own, &native);
  return own;
}

static const int* take(const int* numbers, int* variable, int length) {
  for (int i = 0; i < length; ++i) variable[i] = numbers[i];
  return numbers + length;
}

static void begin(const char* collective, int number) {
  const int* next = table[number][rank];
  next = take(next, sendbuf, LENGTH);
  next = take(next, recvbuf, LENGTH);
  next = take(next, expected, LENGTH);
  next = take(next, &sendcount, 1);
  next = take(next, &recvcount, 1);
  next = take(next, sendcounts, RANKS);
  next = take(next, sdispls, RANKS);
  next = take(next, recvcounts, RANKS);
  take(next, rdispls, RANKS);
  large_sendcount = sendcount;
  large_recvcount = recvcount;
  for (int i = 0; i < RANKS; ++i) {
    large_sendcounts[i] = sendcounts[i];
    large_sdispls[i] = sdispls[i];
    large_recvcounts[i] = recvcounts[i];
    large_rdispls[i] = rdispls[i];
  }
  own_before = own_calls(collective);
}

static void complete_nonblocking(void) { MPI_Wait(&handle, MPI_STATUS_IGNORE); }

static void complete_persistent(void) {
  MPI_Start(&handle);
  MPI_Wait(&handle, MPI_STATUS_IGNORE);
  MPI_Request_free(&handle);
}

static void check(const char* name, const char* collective) {
  int wrong = 0;
  for (int i = 0; i < LENGTH; ++i) wrong += expected[i] != anything && recvbuf[i] != expected[i];
  fprintf(seen, "%s %llu %d\n", name, own_calls(collective) - own_before, wrong);
  all_wrong += wrong;
}

static MPI_Datatype absolute_type(void) {
  const int length = 1;
  MPI_Aint address;
  MPI_Datatype type;
  MPI_Get_address(recvbuf, &address);
  MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  read_table(argv[1]);
  open_seen(argv[2]);
  const int root = ROOT;
  const MPI_Comm comm = MPI_COMM_WORLD;
  const MPI_Op op = MPI_SUM;
  const MPI_Info info = MPI_INFO_NULL;
  const MPI_Datatype datatype = MPI_INT, sendtype = MPI_INT, recvtype = MPI_INT;
  MPI_Datatype absolute = absolute_type(), sendtypes[RANKS], recvtypes[RANKS];
  for (int i = 0; i < RANKS; ++i) sendtypes[i] = recvtypes[i] = MPI_INT;
  MPI_Request* const request = &handle;
#include "calls.inc"
  MPI_Type_free(&absolute);
  fclose(seen);
  printf("rank %d: %d wrong\n", rank, all_wrong);
  MPI_Finalize();
  return all_wrong != 0;
}
