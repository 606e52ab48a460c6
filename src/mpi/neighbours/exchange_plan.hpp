// SPDX-License-Identifier: Apache-2.0
// What the ranks of a communicator agree on before they exchange with their neighbours again and again: all puts are
// known to all then, and shared out among the NICs of all hosts together (halo/lanes.hpp).
#pragma once

#include <string>
#include <vector>

#include "mpi/neighbours/neighbour_blocks.hpp"
#include "mpi/neighbours/routes.hpp"

namespace espalier {

// How this rank takes part.
struct ExchangePlan {
  const char* reason = "";  // static text: why the exchange is ours, or not
  bool is_ours = false;
  std::string packer;  // by which messages were shared out among NICs
  bool is_aggregated = false;
  halo::Part part;
  bool fits_neighbours = false;  // what it receives is as long as what is sent there
};

// Collective; all ranks come to the same answer. Returns an MPI code: that of a native call on the application's
// communicator, whose error handler has had its say. `alone`: as meeting_of() wants it. `blocks`: null if there was no
// memory for them. Throws for want of memory.
[[nodiscard]] int agree_on_exchange(const Communicator& communicator, MPI_Comm alone, const Call& call,
                                    const Neighbourhood& mine, const NeighbourBlocks* blocks, ExchangePlan& plan);

// Whether it is so on all ranks. Collective; returns an MPI code.
[[nodiscard]] int agree(const Communicator& communicator, bool here, bool& everywhere);

}  // namespace espalier
