// SPDX-License-Identifier: Apache-2.0
// Runs the schedules of all ranks in this process, as engine/in_process.hpp does, but with one thread for each rank.
#pragma once

#include <string>
#include <thread>
#include <vector>

#include "engine/bound.hpp"
#include "engine/in_process.hpp"

namespace espalier {

// With bound schedules, so with the executor that a rank would use in earnest, `times` times in a row.
[[nodiscard]] inline std::string run_in_threads(std::span<const Participant> ranks, const Elements& how, int window,
                                                MemoryNetwork::Seed seed, int times = 1) {
  MemoryNetwork network(seed);
  const auto run = [&](std::size_t rank) {
    MemoryPort port(network, static_cast<Rank>(rank));
    BoundSchedule<MemoryPort> bound(ranks[rank].schedule, ranks[rank].partition, window, how, port);
    for (int k = 0; k < times; ++k) {
      if (!bound.run(static_cast<std::uint64_t>(k), ranks[rank].buffers)) return;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) threads.emplace_back(run, rank);
  for (std::thread& thread : threads) thread.join();
  std::string error = network.error();
  return error.empty() ? network.unmatched() : error;
}

}  // namespace espalier
