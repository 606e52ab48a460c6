// SPDX-License-Identifier: Apache-2.0
// Tells whoever watches a call how long it took, from the making of this to its end.
#pragma once

#include "mpi/calls/recent_calls.hpp"

namespace espalier {

class Stopwatch {
 public:
  explicit Stopwatch(const Watchers& watchers)
      : watchers_(watchers), is_for_decision_(watchers.decision != nullptr && watchers.decision->wants_seconds()) {
    if (is_wanted()) start_ = Clock::now();
  }
  ~Stopwatch() {
    if (!is_wanted()) return;
    const Clock::duration taken = Clock::now() - start_;
    if (watchers_.row != nullptr) watchers_.row->add(1, watchers_.bytes, taken);
    if (is_for_decision_) {
      watchers_.decision->observe(watchers_.problem_bytes, std::chrono::duration<double>(taken).count());
    }
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  [[nodiscard]] bool is_wanted() const { return watchers_.row != nullptr || is_for_decision_; }

  const Watchers watchers_;
  const bool is_for_decision_;
  Clock::time_point start_;
};

}  // namespace espalier
