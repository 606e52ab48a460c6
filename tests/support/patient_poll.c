/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded under an MPI that waits by polling sockets, on a machine with more ranks than cores: whoever finds nothing
 * new a few times in a row waits for it in the kernel, for a short while, instead of taking the core from the rank that
 * it waits for. Without it MPICH takes some twenty times as long. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { patience = 2, wait_ns = 1000000 };
static __thread int empty_polls;

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
  const struct timespec time = allowed_time(milliseconds);
  return noted(syscall(SYS_ppoll, files, count, milliseconds < 0 ? 0 : &time, 0, _NSIG / 8), milliseconds);
}

int epoll_pwait(int set, struct epoll_event* events, int most, int milliseconds, const sigset_t* mask) {
  const struct timespec time = allowed_time(milliseconds);
  return noted(syscall(SYS_epoll_pwait2, set, events, most, milliseconds < 0 ? 0 : &time, mask, _NSIG / 8),
               milliseconds);
}

int epoll_wait(int set, struct epoll_event* events, int most, int milliseconds) {
  return epoll_pwait(set, events, most, milliseconds, 0);
}
