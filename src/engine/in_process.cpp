// SPDX-License-Identifier: Apache-2.0
#include "engine/in_process.hpp"

#include <memory>

#include "engine/general.hpp"
#include "engine/scratch.hpp"

namespace espalier {

namespace {

// One rank that runs in steps.
struct SteppedRank {
  SteppedRank(const Participant& its, const Elements& how, int window, MemoryNetwork& network, Rank rank)
      : schedule(its.schedule),
        layout(schedule, its.partition, window),
        scratch(layout.scratch_elements() * how.stride_bytes),
        port(network, rank),
        executor(schedule, layout, how, scratch.data(), port) {
    port.begin(0, {its.buffers.input, its.buffers.output, scratch.data()});
    executor.start(its.buffers);
  }

  // True if anything has happened.
  bool advance() {
    if (finished) return false;
    finished = executor.advance();
    return executor.has_moved();
  }

  const Schedule& schedule;
  Layout layout;
  Scratch scratch;
  MemoryPort port;
  GeneralExecutor<MemoryPort> executor;
  bool finished = false;
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

std::string stuck(const SteppedRank& participant, std::size_t rank) {
  std::string text;
  const Progress& progress = participant.executor.progress();
  for (std::uint32_t k = 0; k < participant.schedule.operations.size(); ++k) {
    if (progress.done(k) == progress.items(k)) continue;
    const Operation& operation = participant.schedule.operations[k];
    text += "rank " + std::to_string(rank) + ": operation " + std::to_string(k) + " (" +
            std::string(kind_text(operation.kind));
    if (operation.communicates())
      text += std::to_string(operation.peer()) + ", channel " + std::to_string(operation.channel);
    text += "): " + std::to_string(progress.done(k)) + " of " + std::to_string(progress.items(k)) + " items done, " +
            std::to_string(progress.posted(k)) + " posted\n";
  }
  return text;
}

using Participants = std::vector<std::unique_ptr<SteppedRank>>;

std::string deadlock(const Participants& participants, const MemoryNetwork& network) {
  std::string text = "deadlock (seed " + std::to_string(network.seed()) + ")\n";
  for (std::size_t rank = 0; rank < participants.size(); ++rank) text += stuck(*participants[rank], rank);
  return text + network.unmatched();
}

}  // namespace

std::string run_in_one_thread(std::span<const Participant> ranks, const Elements& how, int window,
                              MemoryNetwork::Seed seed) {
  MemoryNetwork network(seed);
  Participants participants;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    participants.push_back(std::make_unique<SteppedRank>(ranks[rank], how, window, network, static_cast<Rank>(rank)));
  }
  for (;;) {
    bool moved = false, finished = true;
    for (const auto& participant : participants) {
      moved = participant->advance() || moved;
      finished = finished && participant->finished;
    }
    if (std::string error = network.error(); !error.empty()) return error;
    if (finished) return network.unmatched();
    if (!moved && network.idle()) return deadlock(participants, network);
  }
}

}  // namespace espalier
