// SPDX-License-Identifier: Apache-2.0
// Tells the watcher of a call how long it took, from the making of this to its end.
#pragma once

#include "core/clock.hpp"
#include "mpi/call/account.hpp"
#include "mpi/prepared/recent_calls.hpp"

namespace espalier {

class Stopwatch {
 public:
  // `account`: where the call is added up besides its row. `arrived`: when it was made, if something was done before
  // this.
  explicit Stopwatch(const Watchers& watchers, const CallAccount& account, Clock::time_point arrived = {})
      : watchers_(watchers), account_(account), arrived_(arrived), is_for_decision_(watchers.decision_is_timed()) {
    if (is_wanted()) start_ = Clock::now();
    if (arrived_ == Clock::time_point()) arrived_ = start_;
  }
  ~Stopwatch() {
    if (!is_wanted()) return;
    const Clock::duration taken = Clock::now() - start_;
    if (watchers_.row != nullptr) {
      watchers_.row->add(1, watchers_.bytes, taken);
      account_.add(1, watchers_.bytes, taken);
      if (watchers_.decision != nullptr) watchers_.decision->measure(taken);
    }
    if (is_for_decision_) {
      watchers_.decision->note(watchers_.problem_bytes,
                               {.arrived = seconds_of(arrived_.time_since_epoch()),
                                .left = seconds_of((start_ + taken).time_since_epoch()),
                                .taken = seconds_of(taken),
                                .waited = std::max(0.0, seconds_of(first_message_ - arrived_))});
    }
  }
  // Of a call that runs on this: how long it waits for the first message, too.
  void follow(Prepared& prepared) {
    if (is_for_decision_) prepared.note_first_message(&first_message_);
  }
  // Nothing is reported: where an error is raised next, its handler may free the communicator and all that is its own.
  void cancel() {
    watchers_.row = nullptr;
    is_for_decision_ = false;
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  [[nodiscard]] bool is_wanted() const { return watchers_.row != nullptr || is_for_decision_; }

  Watchers watchers_;
  const CallAccount account_;
  Clock::time_point arrived_;
  bool is_for_decision_;
  Clock::time_point start_, first_message_;
};

}  // namespace espalier
