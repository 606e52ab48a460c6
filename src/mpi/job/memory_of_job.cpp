// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/memory_of_job.hpp"

#include "core/hash.hpp"
#include "core/log.hpp"
#include "memory/directory.hpp"
#include "mpi/job/job.hpp"
#include "mpi/job/log_about.hpp"
#include "mpi/job/yielding_calls.hpp"
#include "report/history/job_history.hpp"

namespace espalier {

namespace {

constexpr int max_shown = 8;  // complaints

void log_complaints(const std::vector<std::string>& complaints, const char* what_then) {
  int shown = 0;
  for (const std::string& complaint : complaints) {
    if (shown++ == max_shown) break;
    log_line("memory: %s%s", complaint.c_str(), what_then);
  }
  if (shown > max_shown) {
    log_line("memory: and %zu more", complaints.size() - static_cast<std::size_t>(max_shown));
  }
}

std::vector<int> all_ranks(const Job& job) {
  std::vector<int> ranks;
  for (Rank rank = 0; rank < job.world_size; ++rank) ranks.push_back(rank);
  return ranks;
}

Placement placement_of_world(const Job& job) { return placement_of(job, WorldRanks(all_ranks(job)), job.world_size); }

// Each text behind its length.
std::string packed(const std::vector<PlacementMemory>& memories) {
  std::string all;
  for (const PlacementMemory& memory : memories) {
    const std::string text = text_of_memory(memory);
    all += std::to_string(text.size()) + '\n' + text;
  }
  return all;
}

std::vector<PlacementMemory> unpacked(std::string_view all) {
  std::vector<PlacementMemory> memories;
  while (!all.empty()) {
    const std::size_t end = all.find('\n');
    const std::size_t length = std::stoul(std::string(all.substr(0, end)));
    memories.push_back(memory_from_text(all.substr(end + 1, length), "what rank 0 remembers"));
    all.remove_prefix(end + 1 + length);
  }
  return memories;
}

// Nothing that goes wrong here may keep rank 0 from taking part in the broadcast.
std::string text_for_all(const Job& job, std::string_view library) try {
  const FoundMemories found = find_memories(job.memory_places, std::string(library), placement_of_world(job));
  log_complaints(found.complaints, ". It is ignored.");
  log_about(job, Topic::memory, Level::info, "%zu placements are remembered, of %s", found.memories.size(),
            job.memory_places.own.c_str());
  return packed(found.memories);
} catch (const std::exception& error) {
  log_line("memory: %s. Nothing is remembered.", error.what());  // needs no memory
  return {};
}

std::uint64_t hash_of_members(const WorldRanks& world_ranks, Rank size) {
  std::uint64_t hash = hash_of_nothing;
  for (Rank rank = 0; rank < size; ++rank) hash = hash_of_number(static_cast<std::uint64_t>(world_ranks[rank]), hash);
  return hash;
}

}  // namespace

std::vector<int> picked(const RankNumbers& of_world, const WorldRanks& world_ranks, Rank size) {
  std::vector<int> picked;
  for (Rank rank = 0; rank < size; ++rank) picked.push_back(of_world[static_cast<std::size_t>(world_ranks[rank])]);
  return picked;
}

Placement placement_of(const Job& job, const WorldRanks& world_ranks, Rank size) {
  const RanksOfNodes by_node = ranks_of_nodes(picked(job.host_of, world_ranks, size));
  Placement placement{.mpi = job.mpi_text,
                      .ranks_of_nodes = by_node.text,
                      .ranks = size,
                      .nodes = by_node.nodes,
                      .cores = job.cores,
                      .members = hash_of_members(world_ranks, size)};
  if (!job.machine) return placement;
  std::vector<int> nodes = picked(job.node_of, world_ranks, size);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  placement.network = fingerprint_text(job.machine_hash) + ": nodes " + brief_text(nodes);
  return placement;
}

int make_space_to_recall(const Job& job, std::string_view library, std::string& text) {
  if (job.world_rank == 0) text = text_for_all(job, library);
  auto length = static_cast<int>(std::min<std::size_t>(text.size(), std::numeric_limits<int>::max()));
  const int status = yielding_bcast(job.mpi, &length, 1, MPI_INT, 0, job.traffic);
  if (status == MPI_SUCCESS) text.resize(static_cast<std::size_t>(length));
  return status;
}

int recall(const Job& job, std::string& text, std::vector<PlacementMemory>& memories) {
  const int status = yielding_bcast(job.mpi, text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, job.traffic);
  if (status == MPI_SUCCESS) memories = unpacked(text);
  return status;
}

void keep_memory(const Job& job, std::string_view library, std::vector<PlacementMemory> learnt, double waited) {
  if (job.memory_places.own.empty() || learnt.empty()) return;
  for (PlacementMemory& memory : learnt) memory.library = library;
  log_about(job, Topic::memory, Level::info, "what was learnt of %zu placements is kept", learnt.size());
  Circumstances circumstances = circumstances_here();
  circumstances.run = job.settings.run;
  circumstances.world_ranks = job.world_size;
  circumstances.waited = waited;
  const std::vector<std::string> complaints =
      keep(job.memory_places, placement_of_world(job), learnt, history_of(learnt, circumstances));
  // Where nobody asked for it, a home that cannot be written to is no news.
  if (job.settings.memory != "auto" || job.settings.verbose.wants(Topic::memory, Level::info))
    log_complaints(complaints, "");
}

}  // namespace espalier
