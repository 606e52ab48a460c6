/* SPDX-License-Identifier: Apache-2.0 */
/* libespalier-patient.so: preloaded under an MPI that waits by polling sockets, on a machine with more ranks than
 * cores. Anyone who finds nothing new a few times in a row (PATIENT_POLLS, default 2) waits for it in the kernel, for a
 * short while (PATIENT_MICROSECONDS, default 2000), instead of taking the core from the rank that it waits for; data
 * wakes it at once, also in another set that this thread asks by turns (a library next to the MPI, or another NIC). */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long wait_ns = 2000000;
static int patience = 2;
static __thread int empty_polls;

__attribute__((constructor)) static void open_library(void) {
  const char* text = getenv("PATIENT_POLLS");
  if (text) patience = atoi(text);
  text = getenv("PATIENT_MICROSECONDS");
  if (text) wait_ns = 1000 * atol(text);
  prctl(PR_SET_TIMERSLACK, 1000UL); /* nanoseconds */
}

/* The epoll sets that this thread has asked lately. */
enum { max_sets = 16, max_files = 64, max_rounds_away = 64 };
static __thread struct pollfd sets[max_sets];
static __thread unsigned asked_at[max_sets], asked;
static __thread int set_count;

static void forget(int place) {
  --set_count;
  sets[place] = sets[set_count];
  asked_at[place] = asked_at[set_count];
}

static void remember(int set) {
  ++asked;
  int place = 0;
  while (place < set_count && sets[place].fd != set) ++place;
  if (place == max_sets) return;
  if (place == set_count) sets[set_count++] = (struct pollfd){set, POLLIN, 0};
  asked_at[place] = asked;
}

/* Until one of them has something, or one of these files. */
static void wait_for_any(const struct pollfd* files, nfds_t count) {
  struct pollfd all[max_sets + max_files];
  const struct timespec time = {0, wait_ns};
  for (int k = set_count; k-- > 0;) {
    if (asked - asked_at[k] > max_rounds_away) forget(k);
  }
  memcpy(all, sets, sizeof *sets * set_count);
  if (count > 0) memcpy(all + set_count, files, sizeof *files * count);
  syscall(SYS_ppoll, all, set_count + count, &time, 0, _NSIG / 8);
  for (int k = set_count; k-- > 0;) {
    if (all[k].revents & POLLNVAL) forget(k);
  }
}

static struct timespec time_of(int milliseconds) {
  return (struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000L};
}

static int noted(int found, int milliseconds) {
  if (milliseconds == 0) empty_polls = found == 0 ? empty_polls + 1 : 0;
  return found;
}

int poll(struct pollfd* files, nfds_t count, int milliseconds) {
  const struct timespec time = time_of(milliseconds);
  if (count != 0 && count <= max_files && milliseconds == 0 && empty_polls >= patience) wait_for_any(files, count);
  const int found = (int)syscall(SYS_ppoll, files, count, milliseconds < 0 ? 0 : &time, 0, _NSIG / 8);
  return count == 0 ? found : noted(found, milliseconds);
}

int epoll_pwait(int set, struct epoll_event* events, int most, int milliseconds, const sigset_t* mask) {
  if (milliseconds == 0) {
    remember(set);
    if (empty_polls >= patience) wait_for_any(0, 0);
  }
  const struct timespec time = time_of(milliseconds);
  return noted((int)syscall(SYS_epoll_pwait2, set, events, most, milliseconds < 0 ? 0 : &time, mask, _NSIG / 8),
               milliseconds);
}

int epoll_wait(int set, struct epoll_event* events, int most, int milliseconds) {
  return epoll_pwait(set, events, most, milliseconds, 0);
}
