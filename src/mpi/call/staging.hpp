// SPDX-License-Identifier: Apache-2.0
// The data of one call in memory of ours, where those of the application lie as no executor can walk over them.
#pragma once

#include "engine/call.hpp"
#include "mpi/types/arithmetic.hpp"
#include "transport/mpi/mpi_peers.hpp"

namespace espalier {

class Staging {
 public:
  Staging() = default;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  virtual ~Staging() = default;

  // Before and after the run; return an MPI code.
  [[nodiscard]] virtual int stage() = 0;
  [[nodiscard]] virtual int deliver() = 0;
  // Where the run finds them in between.
  [[nodiscard]] virtual Buffers buffers() const = 0;
};

// Copies of the communicator's own.
[[nodiscard]] inline SelfCopy self_copy_of(const MpiPeers& peers) {
  return {peers.mpi, peers.traffic, peers.world_ranks[peers.me], peers.first_tag};
}

}  // namespace espalier
