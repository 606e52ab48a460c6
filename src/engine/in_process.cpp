// SPDX-License-Identifier: Apache-2.0
#include "engine/in_process.hpp"

#include <memory>
#include <thread>

#include "engine/bound.hpp"

namespace espalier {

namespace {

// One rank that runs in steps.
struct Participant {
  Participant(const Schedule& its_schedule, const CallShape& call, MemoryNetwork& network, Rank rank)
      : schedule(its_schedule),
        layout(schedule, call.elements, call.segments, call.window, call.granule),
        scratch(layout.scratch_elements() * call.how.stride_bytes),
        transport(network, rank, call.how.stride_bytes),
        executor(schedule, layout, call.how, scratch.data(), transport) {}

  // True if anything has happened.
  bool advance() {
    const std::span<const Token> tokens = transport.poll();
    executor.completed(tokens);
    return executor.work() || !tokens.empty();
  }

  const Schedule& schedule;
  Layout layout;
  Scratch scratch;
  MemoryTransport transport;
  GeneralExecutor<MemoryTransport> executor;
};

std::string_view kind_text(Operation::Kind kind) {
  switch (kind) {
    case Operation::Kind::send: return "send to ";
    case Operation::Kind::recv: return "recv from ";
    case Operation::Kind::reduce: return "reduce";
    case Operation::Kind::copy: return "copy";
  }
  return "";
}

std::string stuck(const Participant& participant, std::size_t rank) {
  std::string text;
  const Progress& progress = participant.executor.progress();
  for (std::uint32_t k = 0; k < participant.schedule.operations.size(); ++k) {
    if (progress.done(k) == progress.items(k)) continue;
    const Operation& operation = participant.schedule.operations[k];
    text += "rank " + std::to_string(rank) + ": operation " + std::to_string(k) + " (" +
            std::string(kind_text(operation.kind));
    if (operation.communicates()) text += std::to_string(operation.peer) + ", lane " + std::to_string(operation.lane);
    text += "): " + std::to_string(progress.done(k)) + " of " + std::to_string(progress.items(k)) + " items done, " +
            std::to_string(progress.posted(k)) + " posted\n";
  }
  return text;
}

using Participants = std::vector<std::unique_ptr<Participant>>;

std::string deadlock(const Participants& participants, const MemoryNetwork& network) {
  std::string text = "deadlock (seed " + std::to_string(network.seed()) + ")\n";
  for (std::size_t rank = 0; rank < participants.size(); ++rank) text += stuck(*participants[rank], rank);
  return text + network.unmatched();
}

}  // namespace

std::string run_in_one_thread(std::span<const Schedule> schedules, std::span<const Buffers> buffers,
                              const CallShape& call, MemoryNetwork::Seed seed) {
  MemoryNetwork network(static_cast<Rank>(schedules.size()), seed);
  Participants participants;
  for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
    participants.push_back(std::make_unique<Participant>(schedules[rank], call, network, static_cast<Rank>(rank)));
    participants[rank]->executor.start(buffers[rank]);
  }
  for (;;) {
    bool moved = false, finished = true;
    for (const auto& participant : participants) {
      moved = participant->advance() || moved;
      finished = finished && participant->executor.finished();
    }
    if (std::string error = network.error(); !error.empty()) return error;
    if (finished) return network.unmatched();
    if (!moved && network.idle()) return deadlock(participants, network);
  }
}

std::string run_in_threads(std::span<const Schedule> schedules, std::span<const Buffers> buffers, const CallShape& call,
                           MemoryNetwork::Seed seed, int times) {
  MemoryNetwork network(static_cast<Rank>(schedules.size()), seed);
  const auto run = [&](std::size_t rank) {
    MemoryTransport transport(network, static_cast<Rank>(rank), call.how.stride_bytes);
    BoundSchedule<MemoryTransport> bound(schedules[rank], call.elements, call.how, call.segments, call.window,
                                         call.granule, transport);
    for (int k = 0; k < times; ++k) {
      if (!bound.run(buffers[rank])) return;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < schedules.size(); ++rank) threads.emplace_back(run, rank);
  for (std::thread& thread : threads) thread.join();
  std::string error = network.error();
  return error.empty() ? network.unmatched() : error;
}

}  // namespace espalier
