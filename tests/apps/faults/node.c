/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives of all lengths among the ranks of a node, of which each result is looked at, while something happens to
 * one of them.
 *
 *     node ROUNDS [WHAT ...]
 *
 *     kill RANK PHASE MICROSECONDS    SIGKILL that long after it has come to the phase for the first time
 *     stop RANK MICROSECONDS SECONDS  SIGSTOP that long after the start, and SIGCONT so many seconds later
 *     fork RANK HOW                   children between calls and during them, which leave by _exit or by exit
 *     communicators COUNT             so many at once, all of which are used
 *     memory MEBIBYTES                so much more address space at the end, on each rank
 *     idle SECONDS                    before the end, on each rank
 *
 * Rank 0 prints "N wrong, M ranks share memory" at the end. */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { longest = 400000 };

static int rank, size;
static long wrong;
static char** trouble;
static const char* none[5] = {"none", "-1", "", "", ""};

static int troubled(const char* what) { return strcmp(trouble[0], what) == 0; }

/* Before MPI_Init it is the launcher who has said it. */
static int rank_in_environment(void) {
  const char* names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
  for (int k = 0; k < 2; ++k) {
    if (getenv(names[k])) return atoi(getenv(names[k]));
  }
  return -1;
}

static int is_mine(void) { return atoi(trouble[1]) == rank_in_environment(); }

static void kill_after(long microseconds) {
  const struct itimerspec once = {.it_value = {microseconds / 1000000, microseconds % 1000000 * 1000 + 1}};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &once, NULL) != 0) _exit(3);
}

static void enter(const char* phase) {
  if (!troubled("kill") || !is_mine() || strcmp(trouble[2], phase) != 0) return;
  trouble[2] = "";
  kill_after(atol(trouble[3]));
}

/* By a child: who is stopped cannot go on by itself. */
static void stop_for_a_while(void) {
  const pid_t stopped = getpid();
  if (fork() != 0) return;
  usleep((useconds_t)atol(trouble[2]));
  if (getppid() == stopped) kill(stopped, SIGSTOP);
  sleep((unsigned)atoi(trouble[3]));
  if (getppid() == stopped) kill(stopped, SIGCONT);
  _exit(0);
}

/* What a child does to memory is nothing to its parent. */
static void have_child(int* memory, int count) {
  if (!troubled("fork") || !is_mine()) return;
  const pid_t child = fork();
  if (child == 0) {
    memset(memory, 1, (size_t)count * sizeof *memory);
    if (strcmp(trouble[2], "exit") == 0) exit(0);
    _exit(0);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    fprintf(stderr, "rank %d: a child ended with %d\n", rank, status);
    ++wrong;
  }
}

static int value(int round, int from, int k) { return 31 * round + 7 * from + k; }

static void fill(int* to, int count, int round, int from) {
  for (int k = 0; k < count; ++k) to[k] = value(round, from, k);
}

static void expect(const char* what, const int* got, int count, int round, int from) {
  for (int k = 0; k < count; ++k) {
    if (got[k] == value(round, from, k)) continue;
    if (wrong++ == 0) fprintf(stderr, "rank %d: %s, round %d: %d at %d\n", rank, what, round, got[k], k);
  }
}

static void expect_sum(const char* what, const int* got, int count, int round, int ranks) {
  for (int k = 0; k < count; ++k) {
    if (got[k] == ranks * value(round, 0, k) + 7 * ranks * (ranks - 1) / 2) continue;
    if (wrong++ == 0) fprintf(stderr, "rank %d: %s, round %d: %d at %d\n", rank, what, round, got[k], k);
  }
}

static void one_by_one(int round, int count, int* out, int* in) {
  const int root = round % size;
  fill(out, count, round, rank);
  MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect_sum("allreduce", in, count, round, size);
  MPI_Reduce(out, in, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  if (rank == root) expect_sum("reduce", in, count, round, size);
  fill(in, count, round, rank);
  MPI_Bcast(in, count, MPI_INT, root, MPI_COMM_WORLD);
  expect("bcast", in, count, round, root);
  MPI_Allgather(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD);
  for (int from = 0; from < size; ++from) expect("allgather", in + from * count, count, round, from);
  for (int to = 0; to < size; ++to) fill(out + to * count, count, round + to, rank);
  MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD);
  for (int from = 0; from < size; ++from) expect("alltoall", in + from * count, count, round + rank, from);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Two at once, and a third one that is begun when others have come further. */
static void several_at_once(int round, int count, int* out, int* in) {
  const int root = round % size;
  MPI_Request requests[3];
  int *const sum = in, *const all = in + count, *const given = out + count;
  fill(out, count, round, rank);
  fill(given, count, round, rank);
  MPI_Iallreduce(out, sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  have_child(sum, count);
  MPI_Iallgather(out, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD, &requests[1]);
  int is_over = 0;
  MPI_Test(&requests[0], &is_over, MPI_STATUS_IGNORE);
  have_child(all, size * count);
  MPI_Ibcast(given, count, MPI_INT, root, MPI_COMM_WORLD, &requests[2]);
  have_child(given, count);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  expect_sum("iallreduce", sum, count, round, size);
  for (int from = 0; from < size; ++from) expect("iallgather", all + from * count, count, round, from);
  expect("ibcast", given, count, round, root);
}

static void on_communicators(int count, int* out, int* in) {
  MPI_Comm* const comms = malloc((size_t)count * sizeof *comms);
  const int ints = 5000;
  for (int k = 0; k < count; ++k) {
    if (k % 2) {
      MPI_Comm_dup(MPI_COMM_WORLD, &comms[k]);
    } else {
      MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comms[k]);
    }
  }
  for (int k = 0; k < 2 * count; ++k) {
    const int some = k % 3 ? k % 100 + 1 : ints;
    fill(out, some, k, rank);
    MPI_Allreduce(out, in, some, MPI_INT, MPI_SUM, comms[k % count]);
    expect_sum("allreduce on a communicator", in, some, k, size);
    MPI_Bcast(out, some, MPI_INT, k % size, comms[k % count]);
    expect("bcast on a communicator", out, some, k, k % size);
  }
  for (int k = 0; k < count; ++k) MPI_Comm_free(&comms[k]);
  free(comms);
}

static void take_memory(size_t bytes) {
  if (mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) return;
  perror("mmap");
  MPI_Abort(MPI_COMM_WORLD, 4);
}

/* Whether it has memory of ours in common with others. */
static int shares_memory(void) {
  char line[4096];
  int found = 0;
  FILE* const maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    const char* const name = strstr(line, "/dev/shm/");
    found |= strstr(line, "/memfd:espalier") != NULL || (name && strspn(name + 9, "0123456789abcdef") == 32);
  }
  if (maps) fclose(maps);
  return found;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  trouble = argc > 3 ? argv + 2 : (char**)none;
  const int rounds = atoi(argv[1]);
  enter("start");
  if (troubled("stop") && is_mine()) stop_for_a_while();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int* const out = calloc((size_t)(size + 1) * longest, sizeof *out);
  int* const in = calloc((size_t)(size + 1) * longest, sizeof *in);
  static const struct {
    const char* phase;
    int count;
  } steps[] = {{"short", 1}, {"short", 300}, {"medium", 4000}, {"medium", 15000}, {"short", 5}, {"long", longest}};
  for (int round = 0; round < rounds; ++round) {
    const int step = round % 6;
    enter(steps[step].phase);
    one_by_one(round, steps[step].count, out, in);
    have_child(out, 1000);
    enter("nonblocking");
    several_at_once(round, steps[step].count, out, in);
    if (step != 0) continue;
    enter("communicators");
    on_communicators(3, out, in);
  }
  if (troubled("communicators")) on_communicators(atoi(trouble[1]), out, in);
  if (troubled("memory")) take_memory((size_t)atoi(trouble[1]) << 20);
  if (troubled("idle")) sleep((unsigned)atoi(trouble[1]));
  free(out);
  free(in);
  const int shares = shares_memory();
  long mine[2] = {wrong, shares}, all[2] = {0, 0};
  MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%ld wrong, %ld ranks share memory\n", all[0], all[1]);
  fflush(stdout);
  enter("end");
  MPI_Finalize();
  return 0;
}
