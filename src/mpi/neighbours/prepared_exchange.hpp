// SPDX-License-Identifier: Apache-2.0
// One rank's part of an exchange, ready to run on the application's buffers: what all forms of calls share.
#pragma once

#include <memory>

#include "halo/travel/part.hpp"
#include "mpi/neighbours/neighbour_blocks.hpp"
#include "mpi/prepared/preparation.hpp"

namespace espalier {

struct OwnExchange {
  PreparedCommunicator& communicator;  // has joined
  const halo::Part& part;              // these blocks, which are right
  CallForm form = CallForm::blocking;
  MpiEndpoint* behind_request = nullptr;  // as OwnCall has it
};

// Local. Throws on allocation failure. What belongs to the communicator's calls follows from their form and from the
// sizes and places of their blocks; only what goes to another endpoint may be routed as it likes.
[[nodiscard]] Preparation prepare_exchange(const OwnExchange& own, std::unique_ptr<NeighbourBlocks> blocks);

}  // namespace espalier
