// SPDX-License-Identifier: Apache-2.0
// An idealised run of a collective, for drawings and for counting rounds: every message takes one step, local work
// takes none.
//
// In one step each rank sends at most one message and receives at most one over each lane: the model in which
// algorithms are usually compared. Nothing is buffered: a message moves once both sides have posted it. Among several,
// the one that has been ready for longest goes first.
#pragma once

#include <span>
#include <vector>

#include "engine/progress.hpp"

namespace espalier {

// A message that moves during `step`: it leaves at the beginning of it and has arrived at the end.
struct DrawnMessage {
  int step = 0;
  Channel channel = 0;
  Rank sender = no_rank, receiver = no_rank;
  Item sent, received;
};

// A reduction or a copy, just before the messages of `step` leave.
struct LocalWork {
  int step = 0;
  Rank rank = no_rank;
  Item item;
};

struct Timeline {
  int steps = 0;
  std::vector<DrawnMessage> transfers;  // by step
  std::vector<LocalWork> work;          // by step, then in the order in which it is done
  std::vector<int> finished;            // per rank: the step before which it had nothing left to do; -1: it is stuck

  [[nodiscard]] bool complete() const;
};

// `ranks`: the schedules of all ranks.
[[nodiscard]] Timeline run_idealised(std::span<const Schedule> ranks, int segments, int window);

}  // namespace espalier
