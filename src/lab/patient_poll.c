/* SPDX-License-Identifier: Apache-2.0 */
/* libespalier-patient.so: preloaded under an MPI that waits by polling sockets, on a machine with more ranks than
 * cores. Whoever finds nothing new a few times in a row (PATIENT_POLLS, default 2) waits for it in the kernel, for a
 * short while, instead of taking the core from the rank that it waits for; data wakes it at once. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { wait_ns = 2000000 };
static int patience = 2;
static __thread int empty_polls;

__attribute__((constructor)) static void open_library(void) {
  const char* text = getenv("PATIENT_POLLS");
  if (text) patience = atoi(text);
  prctl(PR_SET_TIMERSLACK, 1000UL); /* nanoseconds */
}

static struct timespec allowed_time(int milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  if (milliseconds == 0 && empty_polls >= patience) time.tv_nsec = wait_ns;
  return time;
}

static int noted(int found, int milliseconds) {
  if (milliseconds == 0) empty_polls = found == 0 ? empty_polls + 1 : 0;
  return found;
}

int poll(struct pollfd* files, nfds_t count, int milliseconds) {
  const struct timespec time =
      count == 0 ? (struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000L} : allowed_time(milliseconds);
  const int found = (int)syscall(SYS_ppoll, files, count, milliseconds < 0 ? 0 : &time, 0, _NSIG / 8);
  return count == 0 ? found : noted(found, milliseconds);
}

int epoll_pwait(int set, struct epoll_event* events, int most, int milliseconds, const sigset_t* mask) {
  const struct timespec time = allowed_time(milliseconds);
  return noted((int)syscall(SYS_epoll_pwait2, set, events, most, milliseconds < 0 ? 0 : &time, mask, _NSIG / 8),
               milliseconds);
}

int epoll_wait(int set, struct epoll_event* events, int most, int milliseconds) {
  return epoll_pwait(set, events, most, milliseconds, 0);
}
