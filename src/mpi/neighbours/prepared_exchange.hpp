// SPDX-License-Identifier: Apache-2.0
// A rank's part of an exchange, ready to run on the application's buffers.
#pragma once

#include "halo/part.hpp"
#include "mpi/calls/preparation.hpp"
#include "mpi/neighbours/neighbour_blocks.hpp"

namespace espalier {

// Local. The part is one of these blocks, which are right. Of them only what is needed later is kept. Throws for want
// of memory.
[[nodiscard]] Preparation prepare_exchange(const Communicator& communicator, MpiEndpoint& endpoint,
                                           const halo::Part& part, std::unique_ptr<NeighbourBlocks> blocks);

}  // namespace espalier
