// SPDX-License-Identifier: Apache-2.0
// What can end a call from outside while this rank waits in it: another rank says that its own part failed, or, under a
// fault-tolerant MPI (ULFM), a process died or somebody revoked the communicator. Whoever waits long looks here.
#pragma once

#include <cstdint>
#include <vector>

#include "transport/mpi/native.hpp"
#include "transport/mpi/route.hpp"

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
  explicit CallWatch(const Route& route) : route_(route) {}

  void begin(std::uint64_t call) {
    call_ = call;
    if (!unclean_.empty()) [[unlikely]]
      discard_leftovers_of_call();
  }

  // Takes in the notices that have come. Not for every poll: it costs a probe.
  [[nodiscard]] CallState look();
  [[nodiscard]] int error() const { return error_; }

  // Whether the MPI refuses collectives on this communicator; false unless the MPI is fault-tolerant.
  [[nodiscard]] bool is_broken() const;

  // Tells the other ranks that this rank's part of the current call failed with an error of that class. Whoever is
  // through with that call forgets it.
  void announce(int error_class);

  // Messages of the current call may still come, or lie here: they are thrown away before its tags are used again.
  void mark_unclean() { unclean_.push_back(route_.tags.offset(call_)); }
  [[nodiscard]] bool is_clean() const { return unclean_.empty(); }

 private:
  struct Notice {
    std::uint64_t call = 0;
    std::uint64_t error_class = MPI_SUCCESS;
  };

  void discard_leftovers_of_call();
  void take_notices();
  [[nodiscard]] bool take_notice(Notice& notice);

  const Route& route_;
  std::uint64_t call_ = 0;
  int error_ = MPI_SUCCESS;
  std::vector<int> unclean_;   // offsets of such calls
  std::vector<Notice> ahead_;  // of calls that this rank has not begun, and of the current one
  Notice mine_;                // stays while its messages leave
};

}  // namespace espalier
