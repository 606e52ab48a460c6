// SPDX-License-Identifier: Apache-2.0
// Runs the schedules of all ranks in this process, over the memory transport: in one thread, in an order that the seed
// determines, or with one thread for each rank.
#pragma once

#include <span>
#include <string>

#include "engine/call.hpp"
#include "schedule/schedule.hpp"
#include "transport/memory/memory.hpp"

namespace espalier {

// How the schedules are bound; the same on all ranks.
struct CallShape {
  std::size_t elements = 0;
  Elements how;
  int segments = 1;
  int window = 1;
  std::size_t granule = 1;
};

// One schedule and one pair of buffers for each rank. The result is empty, or says what went wrong: for a deadlock,
// which operations of which ranks are stuck. It always names the seed.
//
// With general executors in this thread:
[[nodiscard]] std::string run_in_one_thread(std::span<const Schedule> schedules, std::span<const Buffers> buffers,
                                            const CallShape& call, MemoryNetwork::Seed seed);

// With bound schedules, so with the executor that a rank would use in earnest, `times` times in a row:
[[nodiscard]] std::string run_in_threads(std::span<const Schedule> schedules, std::span<const Buffers> buffers,
                                         const CallShape& call, MemoryNetwork::Seed seed, int times = 1);

}  // namespace espalier
