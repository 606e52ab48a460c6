// SPDX-License-Identifier: Apache-2.0
// Runs the schedules of all ranks in this process, over the memory transport: in one thread, with general executors, in
// an order that the seed determines.
#pragma once

#include <span>
#include <string>

#include "engine/call.hpp"
#include "schedule/partition.hpp"
#include "transport/memory/memory.hpp"

namespace espalier {

// One rank's schedule, its buffers and how its blocks are cut.
struct Participant {
  const Schedule& schedule;
  Buffers buffers;
  const Partition& partition;
};

// One participant for each rank; `how` and `window` are the same for all. The result is empty, or says what went wrong:
// for a deadlock, which operations of which ranks are stuck. It always names the seed.
[[nodiscard]] std::string run_in_one_thread(std::span<const Participant> ranks, const Elements& how, int window,
                                            MemoryNetwork::Seed seed);

}  // namespace espalier
