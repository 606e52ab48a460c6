// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <chrono>

namespace espalier {

// This machine's own, which is never set.
using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_of(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}
[[nodiscard]] inline double now() { return seconds_of(Clock::now().time_since_epoch()); }

// That this thread has computed: time in which others had its core is not in it. A system call.
[[nodiscard]] inline double computed_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace espalier
