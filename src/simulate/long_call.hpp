// SPDX-License-Identifier: Apache-2.0
// Calls of any length. Of a long pipeline a short one is played, to see how many segments fill it, and then one of
// four times as many: what it says of its pace while it is full (segment_pace.hpp) is continued. What is no such
// pipeline, as up and then down a tree, is played with three lengths, and the line through the last two is continued.
// Where times are not even the next play is twice as long; or half as long, where that would take too long.
#pragma once

#include "play/shortened_call.hpp"
#include "simulate/simulator.hpp"

namespace espalier {

// How far a time is off that nothing was compared with.
inline constexpr double not_compared = 1;

struct LongCallTime {
  double seconds = 0;
  int segments = 0;            // of the whole message: of each block
  std::vector<int> played;     // how many of them, in each play; all: the whole call was played
  std::uint64_t messages = 0;  // of these plays
  std::uint64_t waited = 0;    // of the longest play
  std::int64_t met_links = 0;  // of that: on which messages of different nodes met
  double off = 0;              // by how much the first half of the stretch, or of the plays, says otherwise
                               // (not_compared: there is no such half)
  double build_seconds = 0, play_seconds = 0;  // wall clock

  [[nodiscard]] bool was_whole() const { return played.size() == 1; }
  [[nodiscard]] bool was_compared() const { return off != not_compared; }
};

struct LongCallLimits {
  int fewest_segments = 0;    // in the shortest play; 0: twice the window
  double even_within = 0.01;  // times that differ less lie on a line
  // In the play that fills the pipeline, and in each longer one, even where times are off the line.
  std::uint64_t most_messages = 150'000'000, most_again = 40'000'000;
};

// Throws std::logic_error where ranks wait for each other.
[[nodiscard]] LongCallTime simulate_call(Simulator& simulator, const Choice& choice, const Problem& problem,
                                         const LongCallLimits& limits = {}, const PlayProgress& progress = {});

}  // namespace espalier
