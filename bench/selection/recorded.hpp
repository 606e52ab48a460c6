// SPDX-License-Identifier: Apache-2.0
// Contexts whose times were recorded call by call, each candidate in a run of its own.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "selection/instances.hpp"

namespace espalier::selection {

struct RecordedContext {
  std::string job, collective;
  Rank ranks = 0;
  std::size_t bytes = 0;
  std::vector<std::string> names;  // of the candidates
  Instance instance;
};

// Of each context a line "JOB COLLECTIVE RANKS BYTES CANDIDATES CALLS", then a line for each candidate: its name, which
// choice of ours is the same algorithm, and the seconds of its calls, the native MPI's first. Where RANKS is 0 nothing
// is estimated of them, and where there is no such choice ("-"), it is thought to take as long as the native MPI.
//
// Where there are fewer than `calls`, a series goes on with pieces of 8 calls of its second half, drawn by a fixed
// seed: so what a candidate takes to warm up comes once, and slow phases last as they did. Throws
// std::invalid_argument.
[[nodiscard]] std::vector<RecordedContext> read_recorded(std::istream& text, std::size_t calls);

}  // namespace espalier::selection
