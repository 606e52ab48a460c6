// SPDX-License-Identifier: Apache-2.0
// This rank's end of the MPI transport on one application communicator: what all ports there share. A communicator has
// one, and others for its persistent requests; they stay until the last run on them is over.
#pragma once

#include <utility>

#include "transport/mpi/call_watch.hpp"
#include "transport/mpi/mpi_peers.hpp"
#include "transport/mpi/notes.hpp"

namespace espalier {

struct MpiEndpoint {
  explicit MpiEndpoint(MpiPeers its_peers) : peers(std::move(its_peers)) {}
  MpiEndpoint(const MpiEndpoint&) = delete;
  MpiEndpoint& operator=(const MpiEndpoint&) = delete;

  MpiPeers peers;
  CallWatch watch{peers};
  Notes notes{peers};
};

}  // namespace espalier
