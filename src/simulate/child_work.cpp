// SPDX-License-Identifier: Apache-2.0
#include "simulate/child_work.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace espalier {

namespace {

// Nothing of the parent's is flushed or destroyed here. It ends with its parent.
[[noreturn]] void work_and_write(const std::function<bool(int)>& write, int to, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  try {
    _exit(write(to) ? 0 : 1);
  } catch (...) {
    _exit(1);
  }
}

}  // namespace

ChildProcess::ChildProcess(const std::function<bool(int)>& write) {
  int ends[2];
  if (pipe(ends) != 0) return;
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) work_and_write(write, ends[1], parent);
  close(ends[1]);
  from_ = ends[0];
}

ChildProcess::~ChildProcess() {
  if (from_ >= 0) close(from_);
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool ChildProcess::read(void* result, std::size_t bytes) {
  if (process_ < 0) return false;
  ssize_t got = -1;
  do {
    got = ::read(from_, result, bytes);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(bytes);
}

bool write_whole(int to, const void* result, std::size_t bytes) {
  return write(to, result, bytes) == static_cast<ssize_t>(bytes);
}

}  // namespace espalier
