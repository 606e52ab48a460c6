// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulator.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "algorithms/plan.hpp"

namespace espalier {

namespace {

using WallClock = std::chrono::steady_clock;

double seconds_since(WallClock::time_point start) {
  return std::chrono::duration<double>(WallClock::now() - start).count();
}

std::uint64_t sends_of(std::span<const Schedule> ranks, const Partition& partition) {
  std::uint64_t count = 0;
  for (const Schedule& schedule : ranks) {
    const Items items(schedule, partition);
    for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
      if (schedule.operations[k].kind == Operation::Kind::send) count += static_cast<std::uint64_t>(items.count(k));
    }
  }
  return count;
}

// Whether each operation goes along one block, segment by segment, or is done once.
bool is_one_pipeline(std::span<const Schedule> ranks, const Partition& partition) {
  const auto goes_along_one = [](const Operation& operation) {
    return !operation.communicates() || operation.merged || operation.walked().blocks <= 1;
  };
  return partition.is_even() && partition.segments() > 1 && std::ranges::all_of(ranks, [&](const Schedule& schedule) {
           return std::ranges::all_of(schedule.operations, goes_along_one);
         });
}

}  // namespace

Simulator::Simulator(const Machine& machine, std::vector<int> node_of)
    : machine_(machine),
      wiring_(wiring_of(machine)),
      nodes_{std::move(node_of), machine.engines, machine.simulated.put_bytes_per_second,
             machine.simulated.arrival_seconds},
      network_(machine, nodes_.node_of, NicUse::all),
      shape_{.size = static_cast<Rank>(nodes_.node_of.size()), .network = &network_},
      simgrid_(*wiring_) {}

ProcessorCosts Simulator::costs() const {
  const SimulatedParts& parts = machine_.simulated;
  return {machine_.hop_seconds, machine_.arithmetic_bytes_per_second * parts.threads, parts.reduction_seconds};
}

PlayedTime Simulator::play(std::span<const Schedule> ranks, const SimulatedMessage& message,
                           const PlayProgress& progress) {
  const auto start = WallClock::now();
  const std::uint64_t all = progress ? sends_of(ranks, message.partition) : 0;
  const PlayedChannels channels(ranks);
  SimulatedWire wire(*wiring_, simgrid_, nodes_, channels);
  if (asks_always_) wire.ask_simgrid_always();
  SimulatedWire::Run run(ranks, channels, message, costs(), wire);
  std::optional<SegmentPace> pace;
  if (is_one_pipeline(ranks, message.partition)) run.watch(pace.emplace(message.partition.segments()));
  PlayedTime time;
  time.seconds = machine_.simulated.call_seconds + wire.play(run, [&](std::uint64_t arrived) {
    if (progress) progress(arrived, all);
  });
  time.messages = run.arrived();
  time.waited = wire.waited();
  time.met_links = wire.met_links();
  if (pace) time.pace = pace->steady();
  time.play_seconds = seconds_since(start);
  return time;
}

std::vector<Schedule> schedules_of(const Choice& choice, const Problem& problem, const Shape& shape) {
  std::vector<Schedule> ranks;
  ranks.reserve(static_cast<std::size_t>(shape.size));
  for (Rank rank = 0; rank < shape.size; ++rank) {
    ranks.push_back(build_schedule(*choice.algorithm, request_for(choice, problem, shape, rank)));
  }
  return ranks;
}

}  // namespace espalier
