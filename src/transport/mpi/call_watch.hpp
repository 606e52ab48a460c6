// SPDX-License-Identifier: Apache-2.0
// What can end a call from outside while this rank waits in it: another rank says that its own part failed, or, under a
// fault-tolerant MPI (ULFM), a process died or somebody revoked the communicator. A caller that waits long looks here.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "native/native.hpp"
#include "transport/mpi/mpi_peers.hpp"
#include "transport/mpi/outbox.hpp"

namespace espalier {

enum class CallState : std::uint8_t {
  goes_on,
  failed_elsewhere,  // another rank's notice: error() says which class
  broken,            // the MPI itself now refuses collectives on this communicator
  out_of_step,       // a rank that this one waits for is past the call: passed_by() says which
};

// How far a rank has arrived in a communicator's calls.
struct CallPosition {
  std::uint64_t call = 0;
  bool is_shared = false;  // before the call itself: what the ranks share first
  bool operator==(const CallPosition&) const = default;
};
// Of a rank that has not sent this one what it waits for.
struct StepOfRank {
  Rank rank = no_rank;
  CallPosition step;
};

// Of one endpoint; used by the one thread that makes collective calls on it.
class CallWatch {
 public:
  // Calls are numbered by how many came before them on the communicator, on all ranks alike.
  explicit CallWatch(const MpiPeers& peers) : peers_(peers), outbox_(peers) {}

  // No earlier call is under way here any more: what is said of those is forgotten.
  void forget_before(std::uint64_t call) { oldest_ = call; }

  // Whether that call goes on. Takes in the notices that have arrived: not for every poll, as it costs a probe.
  [[nodiscard]] CallState look(std::uint64_t call) noexcept;
  [[nodiscard]] int error() const { return error_; }

  // What rank `from` has sent, if it is nothing that belongs to this rank's step: then it will not send what this one
  // waits for. Messages of one rank overtake none of its others, as long as each of its calls ends before the next one
  // begins; so that is nothing to be asked for runs behind requests.
  [[nodiscard]] std::optional<CallPosition> other_step_of(Rank from, const CallPosition& mine) const noexcept;
  // Where that was found, of the last call.
  void note_passed_by(const StepOfRank& other) { passed_by_ = other; }
  [[nodiscard]] const StepOfRank& passed_by() const { return passed_by_; }

  // Whether the MPI refuses collectives on this communicator; false unless the MPI is fault-tolerant.
  [[nodiscard]] bool is_broken() const;

  // Informs the other ranks that this rank's part of that call failed with an error of that class. Anyone who is
  // through with the call forgets it.
  void announce(std::uint64_t call, int error_class) noexcept;
  // Instead of a call's number: of whatever call they are in, and of all later ones.
  static constexpr std::uint64_t every_call = ~std::uint64_t{0};

  // Messages of a call that failed here may still come, or lie here: its tags must not be used again.
  void mark_unclean() { clean_.store(false, std::memory_order_relaxed); }
  void mark_clean() { clean_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_clean() const { return clean_.load(std::memory_order_relaxed); }

 private:
  struct Notice {
    std::uint64_t call = 0;
    std::uint64_t error_class = MPI_SUCCESS;
  };

  static constexpr int notice_words = 2;

  void take_notices() noexcept;
  [[nodiscard]] bool take_notice(Rank from, Notice& notice);

  const MpiPeers& peers_;
  std::uint64_t oldest_ = 0;
  int error_ = MPI_SUCCESS;
  std::atomic<bool> clean_{true};  // runs behind requests may end in any thread
  Rank next_asked_ = 0;
  StepOfRank passed_by_;
  std::vector<Notice> known_;            // of calls under way here, and of those that this rank has not begun
  Outbox<Notice, notice_words> outbox_;  // of this rank's notices
};

}  // namespace espalier
