// SPDX-License-Identifier: Apache-2.0
// What was learnt on one placement, and the file that keeps it (docs/reference/memory.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/bad_description.hpp"
#include "core/context_key.hpp"
#include "memory/placement.hpp"

namespace espalier {

// One algorithm for the calls of a context, and what it takes.
struct KnownAlgorithm {
  std::string choice;  // "ring,segment=64KiB,window=4"; "native"
  double seconds = 0;  // of a call; the mean over ranks
  double sd = 0;       // of its natural logarithm
};

// What its timed calls took in this job, as they were: nothing of what was known before is in it.
struct ObservedTimes {
  std::string choice;
  std::uint64_t timed = 0;
  double low = 0, median = 0, high = 0;  // quartiles
};

struct ContextMemory {
  ContextKey key;
  double calls = 0;                              // that it was learnt from
  std::vector<KnownAlgorithm> known_algorithms;  // the best first; at least one
  std::vector<ObservedTimes> observed;           // for the history: the file of a memory does not have it
  std::uint64_t members = 0;                     // that learnt it, in this job: nor does it have that
};

struct PlacementMemory {
  std::string library;  // Espalier's version: another one's algorithms may add in another order
  Placement placement;
  bool is_pinned = false;  // by hand: then the best algorithms are law
  std::vector<ContextMemory> contexts;
};

// It is of a format that a later version writes.
struct ForeignMemory : BadDescription {
  using BadDescription::BadDescription;
};

[[nodiscard]] std::string text_of_memory(const PlacementMemory& memory);
// This many are kept for a placement: the latest.
inline constexpr std::size_t max_contexts = 1024;

// `file`: the name of what `text` was read from. Throws BadDescription and ForeignMemory.
[[nodiscard]] PlacementMemory memory_from_text(std::string_view text, const std::string& file);

}  // namespace espalier
