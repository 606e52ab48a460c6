// SPDX-License-Identifier: Apache-2.0
// A job that somebody else attacks: it has memory of its own in which nobody may write, and calls that nobody may
// spoil. Files in a folder say how far it is ("quiet", "busy") and what it waits for ("attacked", "over").
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 2 victim FOLDER
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { bytes = 1 << 20, message_bytes = 1 << 17, most_seconds = 20 };

static char* path_of(const char* folder, const char* name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void say(const char* folder, const char* name) { close(creat(path_of(folder, name), 0644)); }

static int exists(const char* folder, const char* name) { return access(path_of(folder, name), F_OK) == 0; }

static void rest(void) {
  const struct timespec a_while = {0, 2000000};
  nanosleep(&a_while, NULL);
}

static long count_other(const char* memory, size_t size, char wanted) {
  long others = 0;
  for (size_t k = 0; k < size; ++k) others += memory[k] != wanted;
  return others;
}

// In what was the buffer of a call.
static long bytes_changed(const char* folder, int rank) {
  char* memory = malloc(bytes);
  memset(memory, rank == 0 ? 7 : 0, bytes);
  MPI_Bcast(memory, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  memset(memory, 1, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) say(folder, "quiet");
  for (const double begun = MPI_Wtime(); !exists(folder, "attacked") && MPI_Wtime() - begun < most_seconds; rest()) {
    int any = 0;
    for (int k = 0; k < 100; ++k) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
  }
  const long changed = count_other(memory, bytes, 1);
  free(memory);
  return changed;
}

// Receivers wait most of the time.
static long wrong_calls(const char* folder, int rank, long* calls) {
  static char message[message_bytes];
  long wrong = 0;
  char goes_on = 1;
  if (rank == 0) say(folder, "busy");
  for (const double begun = MPI_Wtime(); goes_on;) {
    const char filling = (char)(2 + ++*calls % 100);
    if (rank == 0) rest();
    const int is_over = exists(folder, "over") || MPI_Wtime() - begun > most_seconds;
    memset(message, rank == 0 ? filling : 0, sizeof message);
    if (rank == 0) message[0] = !is_over;
    MPI_Bcast(message, message_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    wrong += count_other(message + 1, sizeof message - 1, filling) != 0;
    goes_on = message[0];
  }
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long calls = 0;
  const long mine[] = {bytes_changed(argv[1], rank), wrong_calls(argv[1], rank, &calls)};
  long all[] = {0, 0};
  MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("{\"changed\": %ld, \"wrong\": %ld, \"calls\": %ld}\n", all[0], all[1], calls);
  MPI_Finalize();
  return 0;
}
