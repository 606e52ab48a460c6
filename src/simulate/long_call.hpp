// SPDX-License-Identifier: Apache-2.0
// Calls of any length: of a long pipeline two short ones are played, and a third, twice as long as the second, to see
// whether each further segment takes the same time; if it does not, the next ones are longer.
#pragma once

#include "play/shortened_call.hpp"
#include "simulate/simulator.hpp"

namespace espalier {

struct LongCallTime {
  double seconds = 0;
  int segments = 0;            // of the whole message: of each block
  std::vector<int> played;     // how many of them, in each play; all: the whole call was played
  std::uint64_t messages = 0;  // of these plays
  std::uint64_t waited = 0;    // of the longest play
  double off = 0;              // by how much the first two of the last three plays would have said otherwise
  double build_seconds = 0, play_seconds = 0;  // wall clock

  [[nodiscard]] bool was_whole() const { return played.size() == 1; }
};

struct LongCallLimits {
  int fewest_segments = 0;                   // in the shortest play; 0: twice the window
  double even_within = 0.005;                // plays that differ less lie on a line
  std::uint64_t most_messages = 60'000'000;  // in one play: more are not played, even where plays are off the line
};

// Throws std::logic_error where ranks wait for each other.
[[nodiscard]] LongCallTime simulate_call(Simulator& simulator, const Choice& choice, const Problem& problem,
                                         const LongCallLimits& limits = {}, const PlayProgress& progress = {});

}  // namespace espalier
