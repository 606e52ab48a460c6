// SPDX-License-Identifier: Apache-2.0
// Ranks as threads of this process, of which one runs at a time: a rank that waits inside the fake MPI, or yields its
// core, gives the turn to the next. So a run is the same every time, the fake needs no lock, global variables can be
// each rank's own (on_resuming()), and ranks that wait for each other endlessly are noticed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace espalier::fake {

// Ends the program: a test asked for what the fake does not know, or its ranks wait endlessly.
[[noreturn]] void fail(const std::string& what);

// A thread for each of `bodies`; returns when all are through. A rank may have several threads.
struct Body {
  Rank rank = 0;
  std::function<void()> run;
};
void run_threads(const std::vector<Body>& bodies);
// The same, with turns in an order that looks random, and is the same for the same seed.
void run_threads_shuffled(const std::vector<Body>& bodies, unsigned seed);
void run_ranks(Rank size, const std::function<void(Rank me)>& body);

// Of this thread; 0 outside of run_ranks().
[[nodiscard]] Rank my_rank();

// While it lives, this thread does what it does for another rank.
class SpeakingFor {
 public:
  explicit SpeakingFor(Rank rank);
  ~SpeakingFor();
  SpeakingFor(const SpeakingFor&) = delete;
  SpeakingFor& operator=(const SpeakingFor&) = delete;

 private:
  const Rank before_;
};

// What this thread does whenever it gets the turn again.
void on_resuming(std::function<void()> work);

// Somebody else's turn. Nobody waits endlessly: too many turns without note_progress() are a deadlock.
void pass_on();
void note_progress();

template <class Condition>
void wait_until(Condition condition) {
  while (!condition()) pass_on();
}

}  // namespace espalier::fake
