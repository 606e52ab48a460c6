// SPDX-License-Identifier: Apache-2.0
// What became of a context that is chosen by time, for a report.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/choice.hpp"
#include "core/context_key.hpp"
#include "tuning/candidate.hpp"

namespace espalier {

struct CandidateStory {
  Choice choice;
  tuning::Estimate estimate;
  double estimated_times_best = 0;
  double calls = 0, timed = 0;
  double seconds = 0;  // believed, of a call; 0: it was never timed
  double sd = 0;       // of their natural logarithm
};

// Between two agreements. Times are means over the ranks; 0: not known.
struct BlockStory {
  std::uint64_t begin = 0;  // the ordinal of its first call
  std::vector<int> calls;   // the candidate of each of those that were timed, after the rest
  std::vector<double> seconds;
  std::uint64_t run = 1;   // calls that each of these stands for; `seconds` are of one
  double overhead = 0;     // what the agreement before it took
  double once = 0;         // what was done besides that need not be done again
  std::uint64_t rest = 0;  // calls of the incumbent before them
  int incumbent = 0;
};

// A call as all its ranks reported of it, by rank; seconds by one clock. Empty: it is not known here.
struct CallStory {
  std::uint64_t call = 0;
  std::vector<double> arrived, left;
  std::vector<double> waited;  // since it arrived, until the first message was there or had left
};

// How ranks were arranged by when they arrive.
struct ArrivalStory {
  std::vector<std::uint64_t> rearranged_at;  // calls
  std::vector<Rank> ranks;                   // by place, now, in a plain tree
  double transfer_seconds = 0;               // what a transfer was found to take; 0: it is not known here
  CallStory before, latest;                  // before the first time, and the last one
  std::uint64_t reports = 0;                 // of waits by the ranks; 0: they report otherwise, or it is not known here
};

struct ContextStory {
  ContextKey key;
  Rank ranks = 0;
  std::string_view policy, start, state;
  std::uint64_t calls = 0;
  int first = 0;             // candidate that ran, by what was known before
  int incumbent = -1;        // among the candidates; -1: none yet
  double bound_seconds = 0;  // what the network allows at best for a call; 0: not known
  std::uint64_t agreements = 0;
  double agreement_seconds = 0;
  double waiting_seconds = 0;  // for others, in agreements
  std::vector<CandidateStory> candidates;
  std::optional<ArrivalStory> arrivals;  // if they were
  std::vector<BlockStory> blocks;        // the first ones: from them every decision can be replayed
};

// Of one rank, against the first candidate.
struct BelievedGain {
  double saved_seconds = 0;  // by candidates that are faster
  double lost_seconds = 0;   // by those that are slower, and by agreements
};
[[nodiscard]] inline BelievedGain believed_gain(const ContextStory& story) {
  BelievedGain gain{.saved_seconds = 0, .lost_seconds = story.agreement_seconds};
  const double reference = story.candidates.empty() ? 0 : story.candidates.front().seconds;
  for (const CandidateStory& one : story.candidates) {
    if (reference <= 0 || one.seconds <= 0) continue;
    const double saved = one.calls * (reference - one.seconds);
    (saved > 0 ? gain.saved_seconds : gain.lost_seconds) += saved > 0 ? saved : -saved;
  }
  return gain;
}

}  // namespace espalier
