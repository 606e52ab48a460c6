// SPDX-License-Identifier: Apache-2.0
// How long a schedule takes among the ranks of a node: any schedule, any levels. It knows which core copies what,
// across which level, and what they share; not the system, other threads, or how far hardware looks ahead.
//
// A core does one thing at a time: what it sends, in the order in which it was posted, then what has arrived, then its
// arithmetic. Each end of a message costs it some time in software. What it has written another core sees after the
// seconds of the level at which the two meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "levels/handover.hpp"
#include "levels/node_levels.hpp"
#include "play/simulated_message.hpp"

namespace espalier {

struct NodeJob {
  const NodeLevels& node;
  std::vector<int> core_of;  // by rank
  Handover handover = Handover::streams;
};

struct NodeCost {
  double seconds = 0;                // until the last rank has finished, all having begun together
  std::vector<std::uint64_t> lines;  // that crossed each level
  double path_bytes = 0;             // copied and reduced on the path to the last end
  int path_messages = 0;             // on that path
  double most_bytes = 0;             // copied and reduced by one rank
};

// The schedules of all ranks. Throws std::logic_error where ranks wait for each other permanently.
[[nodiscard]] NodeCost node_cost(std::span<const Schedule> ranks, const SimulatedMessage& message, const NodeJob& job);

}  // namespace espalier
