// SPDX-License-Identifier: Apache-2.0
// This rank's end of the MPI transport on one application communicator: what all ports there share. A communicator has
// one, and others for its persistent requests; they stay until the last run on them is over.
#pragma once

#include <cstdint>
#include <utility>

#include "transport/mpi/call_watch.hpp"
#include "transport/mpi/mpi_peers.hpp"
#include "transport/mpi/notes.hpp"

namespace espalier {

// How runs with one number are distinguished.
enum class Numbering : std::uint8_t {
  by_calls,   // a call may make several
  by_starts,  // of requests that may be started in any order
  by_itself,  // there are none
};

struct MpiEndpoint {
  explicit MpiEndpoint(MpiPeers its_peers) : peers(std::move(its_peers)) {}
  MpiEndpoint(const MpiEndpoint&) = delete;
  MpiEndpoint& operator=(const MpiEndpoint&) = delete;

  MpiPeers peers;
  CallWatch watch{peers};
  Notes notes{peers};
  Numbering numbering = Numbering::by_calls;

  // How many runs have begun before with that number: a call may agree on something first. Those of a communicator
  // begin in the same order on all ranks, but for those that had to wait, which are alone in their calls.
  [[nodiscard]] std::uint64_t runs_before(std::uint64_t number) {
    if (last_number_ != no_number && number < last_number_) return 0;
    runs_of_last_ = number == last_number_ ? runs_of_last_ + 1 : 0;
    last_number_ = number;
    return runs_of_last_;
  }

 private:
  static constexpr std::uint64_t no_number = ~std::uint64_t{0};
  std::uint64_t last_number_ = no_number, runs_of_last_ = 0;
};

}  // namespace espalier
