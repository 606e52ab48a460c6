// SPDX-License-Identifier: Apache-2.0
// What the job remembers of former ones, and what it leaves to later ones.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/rank_numbers.hpp"
#include "core/world_ranks.hpp"
#include "memory/memory.hpp"

namespace espalier {

struct Job;  // job.hpp

// Where the ranks of a communicator run.
[[nodiscard]] Placement placement_of(const Job& job, const WorldRanks& world_ranks, Rank size);

// What each rank of a communicator has of what there is for each rank of the world.
[[nodiscard]] std::vector<int> picked(const RankNumbers& of_world, const WorldRanks& world_ranks, Rank size);

// Rank 0 reads the files and says what is wrong with them; all ranks make room for what it will tell them. Collective
// over the traffic communicator. Returns an MPI code; throws on allocation failure.
[[nodiscard]] int make_space_to_recall(const Job& job, std::string_view library, std::string& text);
// Once all have room: all ranks get the same. As above.
[[nodiscard]] int recall(const Job& job, std::string& text, std::vector<PlacementMemory>& memories);

// On rank 0. `waited`: for a processor, of the wall time, by the rank that did so most.
void keep_memory(const Job& job, std::string_view library, std::vector<PlacementMemory> learnt, double waited);

}  // namespace espalier
