/* SPDX-License-Identifier: Apache-2.0 */
/* A job such as many are: collectives of several sizes, and halos by persistent requests. Every result is looked at.
 *
 *     working ROUNDS FOLDER [WHAT RANK ROUND VALUE]
 *
 * From ROUND on that rank (-1: each) has trouble:
 *
 *     nofile   no more than VALUE file descriptors
 *     as       no more than VALUE MiB of address space beyond what it has
 *     fsize    no file longer than VALUE bytes
 *     alarms   SIGALRM every VALUE microseconds, which interrupts what waits in the kernel
 *
 * Each rank leaves FOLDER/RANK.pid. Rank 0 prints "N wrong" at the end. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { sizes = 4, longest = 40000, neighbours = 2 };
static const int counts[sizes] = {1, 50, 3000, longest};
static int rank, size;
static long wrong;
static volatile sig_atomic_t signals;

static void count_signal(int number) { (void)number, ++signals; }

static void expect(const char* what, const int* got, int count, int first, int step) {
  for (int k = 0; k < count; ++k) {
    if (got[k] == first + k * step) continue;
    if (wrong++ == 0) fprintf(stderr, "rank %d: %s: %d instead of %d at %d\n", rank, what, got[k], first + k * step, k);
  }
}

static void fill(int* to, int count, int first, int step) {
  for (int k = 0; k < count; ++k) to[k] = first + k * step;
}

static void work(int round, int count, int* out, int* in) {
  const int root = round % size, ranks = size * (size - 1) / 2;
  fill(out, count, round + rank, 1);
  MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect("allreduce", in, count, round * size + ranks, size);
  MPI_Reduce(out, in, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  if (rank == root) expect("reduce", in, count, round * size + ranks, size);
  if (rank == root) fill(in, count, round, 3);
  MPI_Bcast(in, count, MPI_INT, root, MPI_COMM_WORLD);
  expect("bcast", in, count, round, 3);
  MPI_Allgather(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD);
  for (int from = 0; from < size; ++from) expect("allgather", in + from * count, count, round + from, 1);
  for (int to = 0; to < size; ++to) fill(out + to * count, count, round + 10 * rank + to, 1);
  MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD);
  for (int from = 0; from < size; ++from) expect("alltoall", in + from * count, count, round + 10 * from + rank, 1);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* On a ring: the same messages by a persistent collective, and by persistent messages. */
struct halo {
  MPI_Comm ring;
  int before, after, count;
  int* out;
  int* in;
  MPI_Request collective, messages[2 * neighbours];
};

static void make_halo(struct halo* halo, int count) {
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &halo->ring);
  MPI_Cart_shift(halo->ring, 0, 1, &halo->before, &halo->after);
  halo->count = count;
  halo->out = calloc((size_t)(neighbours * count), sizeof(int));
  halo->in = calloc((size_t)(neighbours * count), sizeof(int));
  MPI_Neighbor_alltoall_init(halo->out, count, MPI_INT, halo->in, count, MPI_INT, halo->ring, MPI_INFO_NULL,
                             &halo->collective);
  MPI_Send_init(halo->out, count, MPI_INT, halo->before, 1, halo->ring, &halo->messages[0]);
  MPI_Send_init(halo->out + count, count, MPI_INT, halo->after, 2, halo->ring, &halo->messages[1]);
  MPI_Recv_init(halo->in, count, MPI_INT, halo->before, 2, halo->ring, &halo->messages[2]);
  MPI_Recv_init(halo->in + count, count, MPI_INT, halo->after, 1, halo->ring, &halo->messages[3]);
}

/* The messages only. With two ranks both neighbours are one, and which block comes whence is the tags' to say. */
static void exchange(struct halo* halo, int round) {
  const int count = halo->count;
  fill(halo->out, count, round + rank, 1);
  fill(halo->out + count, count, round + 100 + rank, 1);
  MPI_Startall(2 * neighbours, halo->messages);
  MPI_Waitall(2 * neighbours, halo->messages, MPI_STATUSES_IGNORE);
  expect("from before", halo->in, count, round + 100 + halo->before, 1);
  expect("from after", halo->in + count, count, round + halo->after, 1);
  memset(halo->in, 0, (size_t)(neighbours * count) * sizeof(int));
  fill(halo->out, neighbours * count, round + rank, 0);
  MPI_Start(&halo->collective);
  MPI_Wait(&halo->collective, MPI_STATUS_IGNORE);
  expect("neighbour before", halo->in, count, round + halo->before, 0);
  expect("neighbour after", halo->in + count, count, round + halo->after, 0);
}

static void free_halo(struct halo* halo) {
  for (int k = 0; k < 2 * neighbours; ++k) MPI_Request_free(&halo->messages[k]);
  MPI_Request_free(&halo->collective);
  MPI_Comm_free(&halo->ring);
  free(halo->out);
  free(halo->in);
}

static rlim_t address_space(void) {
  unsigned long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%lu", &pages) != 1) exit(2);
  fclose(file);
  return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit(int which, rlim_t value) {
  const struct rlimit limits = {value, value};
  if (setrlimit(which, &limits) != 0) perror("setrlimit");
}

static void make_trouble(const char* what, long value) {
  const struct itimerval interval = {{0, value}, {0, value}};
  if (strcmp(what, "nofile") == 0) limit(RLIMIT_NOFILE, (rlim_t)value);
  if (strcmp(what, "as") == 0) limit(RLIMIT_AS, address_space() + ((rlim_t)value << 20));
  if (strcmp(what, "fsize") == 0) limit(RLIMIT_FSIZE, (rlim_t)value);
  if (strcmp(what, "alarms") == 0) setitimer(ITIMER_REAL, &interval, NULL);
}

static void leave_number(const char* folder) {
  char path[4096], hidden[4096];
  snprintf(path, sizeof path, "%s/%d.pid", folder, rank);
  snprintf(hidden, sizeof hidden, "%s/.%d", folder, rank);
  FILE* file = fopen(hidden, "w");
  if (!file) return;
  fprintf(file, "%d", (int)getpid());
  if (fclose(file) == 0) rename(hidden, path);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const struct sigaction action = {.sa_handler = count_signal};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  leave_number(argv[2]);
  const int rounds = atoi(argv[1]);
  const int begins = argc > 6 && (atoi(argv[4]) == rank || atoi(argv[4]) < 0) ? atoi(argv[5]) : -1;
  int* out = calloc((size_t)size * longest, sizeof(int));
  int* in = calloc((size_t)size * longest, sizeof(int));
  struct halo halo;
  make_halo(&halo, 2000);
  for (int round = 0; round < rounds; ++round) {
    if (round == begins) make_trouble(argv[3], atol(argv[6]));
    work(round, counts[round % 16 == 15 ? sizes - 1 : round % (sizes - 1)], out, in);
    exchange(&halo, round);
  }
  free_halo(&halo);
  free(out);
  free(in);
  long all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%ld wrong\n", all);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
