// SPDX-License-Identifier: Apache-2.0
// Tells whoever watches a call how long it took, from the making of this to its end.
#pragma once

#include "mpi/calls/recent_calls.hpp"

namespace espalier {

class Stopwatch {
 public:
  explicit Stopwatch(const Watchers& watchers) : watchers_(watchers) {
    if (watchers_.any()) start_ = Clock::now();
  }
  ~Stopwatch() {
    if (!watchers_.any()) return;
    const Clock::duration taken = Clock::now() - start_;
    if (watchers_.row != nullptr) watchers_.row->add(1, watchers_.bytes, taken);
    if (watchers_.decision != nullptr && watchers_.decision->wants_seconds()) {
      watchers_.decision->observe(watchers_.problem_bytes, std::chrono::duration<double>(taken).count());
    }
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  const Watchers watchers_;
  Clock::time_point start_;
};

}  // namespace espalier
