// SPDX-License-Identifier: Apache-2.0
// What can end a call from outside while this rank waits in it: another rank says that its own part failed, or, under a
// fault-tolerant MPI (ULFM), a process died or somebody revoked the communicator. Whoever waits long looks here.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "transport/mpi/mpi_peers.hpp"
#include "transport/mpi/native.hpp"

namespace espalier {

enum class CallState : std::uint8_t {
  goes_on,
  failed_elsewhere,  // another rank's notice: error() says which class
  broken,            // the MPI itself now refuses collectives on this communicator
};

// Of one communicator; used by the one thread that makes collective calls on it.
class CallWatch {
 public:
  // Calls are numbered by how many came before them on the communicator, on all ranks alike.
  explicit CallWatch(const MpiPeers& peers) : peers_(peers) {}

  void begin(std::uint64_t call) { call_ = call; }

  // Takes in the notices that have come. Not for every poll: it costs a probe.
  [[nodiscard]] CallState look() noexcept;
  [[nodiscard]] int error() const { return error_; }

  // Whether the MPI refuses collectives on this communicator; false unless the MPI is fault-tolerant.
  [[nodiscard]] bool is_broken() const;

  // Tells the other ranks that this rank's part of the current call failed with an error of that class. Whoever is
  // through with that call forgets it.
  void announce(int error_class) noexcept;

  // Messages of a call that failed here may still come, or lie here: its tags must not be used again.
  void mark_unclean() { clean_ = false; }
  void mark_clean() { clean_ = true; }
  [[nodiscard]] bool is_clean() const { return clean_; }

 private:
  struct Notice {
    std::uint64_t call = 0;
    std::uint64_t error_class = MPI_SUCCESS;
  };

  // A notice of this rank's, on its way to another.
  struct Leaving {
    Notice notice;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void forget_those_that_left();
  void take_notices() noexcept;
  [[nodiscard]] bool take_notice(Rank from, Notice& notice);

  const MpiPeers& peers_;
  std::uint64_t call_ = 0;
  int error_ = MPI_SUCCESS;
  bool clean_ = true;
  Rank next_asked_ = 0;
  std::vector<Notice> ahead_;  // of calls that this rank has not begun, and of the current one
  std::list<Leaving> leaving_;
};

}  // namespace espalier
