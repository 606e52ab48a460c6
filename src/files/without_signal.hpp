// SPDX-License-Identifier: Apache-2.0
// While it lives, what would end the program by a signal of this thread's own doing (SIGPIPE, SIGXFSZ) is an error
// only.
#pragma once

#include <csignal>
#include <ctime>

namespace espalier {

class WithoutSignal {
 public:
  explicit WithoutSignal(int signal) : signal_(signal) {
    sigemptyset(&set_);
    sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, &former_);
  }
  ~WithoutSignal() {
    constexpr timespec at_once{};
    if (sigismember(&former_, signal_) == 0) sigtimedwait(&set_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &former_, nullptr);
  }
  WithoutSignal(const WithoutSignal&) = delete;
  WithoutSignal& operator=(const WithoutSignal&) = delete;

 private:
  const int signal_;
  sigset_t set_{}, former_{};
};

}  // namespace espalier
