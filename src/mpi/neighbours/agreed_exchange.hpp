// SPDX-License-Identifier: Apache-2.0
// What the ranks of a communicator exchange before they exchange with their neighbours again and again: all that
// any of them sends.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "halo/process_grid.hpp"
#include "halo/travel/aggregation.hpp"
#include "mpi/communicators/communicator.hpp"
#include "mpi/neighbours/neighbour_blocks.hpp"

namespace espalier {

struct AgreedExchange {
  const char* refused = nullptr;            // static text: why they cannot have it; then the rest means nothing
  std::string packer, aggregation;          // that are wanted, as the settings name them
  int nics = 0;                             // that all ranks have
  std::vector<halo::RankMessage> messages;  // of all ranks, by sender and place; none without bytes
  halo::ProcessGrid grid;                   // on which the ranks lie, as far as this rank knows
  std::vector<int> place_in_input;          // by message: of its block, if this rank sends it; otherwise -1
  // Messages to this rank, by their senders, and how many blocks each has for it before that one.
  std::map<std::pair<Rank, int>, int> to_here;
};

// Collective; all ranks receive the same, but for the last three. Returns an MPI code: that of a native call on the
// application's communicator, whose error handler has had its say. `can`: whether this rank can take part; if so, with
// these blocks. Throws on allocation failure.
[[nodiscard]] int agree_on_exchange(const Communicator& communicator, MPI_Info info, const Neighbourhood& mine,
                                    const NeighbourBlocks* blocks, bool can, AgreedExchange& agreed);

}  // namespace espalier
