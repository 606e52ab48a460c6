// SPDX-License-Identifier: Apache-2.0
// Candidates are known by number; number 0 is what all are measured by.
#pragma once

#include <cstddef>

namespace espalier::tuning {

// Into vectors that have an entry for each candidate.
[[nodiscard]] constexpr std::size_t index_of(int candidate) { return static_cast<std::size_t>(candidate); }

// What a candidate enters with.
struct Estimate {
  double log_seconds = 0;  // only differences count
  double sd = 0;           // of that
  // What the first call of all candidates that have this takes beyond a later one: it sets up what they share. Seconds.
  double set_up_seconds = 0;
};

// What is thought of its time by now.
struct Opinion {
  double seconds = 0;  // of one call; 0: it was never timed
  double sd = 0;       // of its log
};

}  // namespace espalier::tuning
