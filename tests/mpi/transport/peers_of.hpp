// SPDX-License-Identifier: Apache-2.0
// A rank of a communicator that is the whole world.
#pragma once

#include <numeric>
#include <vector>

#include "fake/fake_mpi.hpp"
#include "transport/mpi/mpi_peers.hpp"

namespace espalier {

[[nodiscard]] inline MpiPeers peers_of(const Native& mpi, Rank me, Rank ranks) {
  std::vector<int> world_ranks(static_cast<std::size_t>(ranks));
  std::iota(world_ranks.begin(), world_ranks.end(), 0);
  return {.mpi = &mpi,
          .application = MPI_COMM_WORLD,
          .traffic = MPI_COMM_WORLD,
          .tags = {.ids = 4, .calls = 8},
          .first_tag = 64,
          .world_ranks = WorldRanks(world_ranks),
          .me = me,
          .size = ranks};
}

}  // namespace espalier
