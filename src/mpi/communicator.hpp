// SPDX-License-Identifier: Apache-2.0
// What we know of one of the application's communicators. It is made at the first call, locally; only when a call is to
// run on a schedule of ours do the ranks agree on a number (join()). As MPI has it, one thread at a time makes
// collective calls on a communicator.
#pragma once

#include <atomic>
#include <optional>

#include "mpi/id_pool.hpp"
#include "mpi/recent_calls.hpp"
#include "mpi/staging.hpp"
#include "topology/network.hpp"

namespace espalier {

struct CallCount {
  std::uint64_t own = 0;
  std::uint64_t native = 0;
  CallCount& operator+=(const CallCount& other) {
    own += other.own;
    native += other.native;
    return *this;
  }
};

// Written by the one thread that uses the communicator, read by any.
class CallCounter {
 public:
  void count_own() { increment(own_); }
  void count_native() { increment(native_); }
  [[nodiscard]] CallCount read() const {
    return {own_.load(std::memory_order_relaxed), native_.load(std::memory_order_relaxed)};
  }

 private:
  static void increment(std::atomic<std::uint64_t>& number) {
    number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  std::atomic<std::uint64_t> own_{0}, native_{0};
};

class Communicator {
 public:
  struct Facts {
    MPI_Comm handle = MPI_COMM_NULL;
    Rank rank = 0;
    Rank size = 1;
    const char* unusual = nullptr;  // why all its calls go to the native MPI; null: they need not
  };

  Communicator(const Facts& facts, int cache);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] MPI_Comm handle() const { return facts_.handle; }
  [[nodiscard]] Rank rank() const { return facts_.rank; }
  [[nodiscard]] Rank size() const { return facts_.size; }
  [[nodiscard]] const char* unusual() const { return facts_.unusual; }
  [[nodiscard]] const MpiPeers& peers() const { return peers_; }
  [[nodiscard]] CallWatch& watch() { return watch_; }
  // What is known of it: without its network before find_network().
  [[nodiscard]] Shape shape() const { return {.size = facts_.size, .network = network_.get()}; }
  // Recognises how the ranks are joined, if the machine is known. Local; all ranks come to the same result.
  void find_network();

  // Makes traffic of ours possible; if it is not, unusual() says why. Collective over the communicator at its first
  // call, of which all ranks get the same answer. Returns an MPI code: that of the native call by which the ranks
  // agree, if that failed; the communicator's error handler has had its say then.
  [[nodiscard]] int join();
  [[nodiscard]] bool has_joined() const { return id_.has_value(); }

  // Calls are numbered as they come, on all ranks alike: also those that go to the native MPI.
  void begin_call() {
    if (peers_.tags.offset(++call_) == 0) [[unlikely]]
      recent.clear();  // so that this call takes the long way, by renew_tags()
  }
  [[nodiscard]] std::uint64_t call() const { return call_; }

  // Where the numbers of calls begin anew: the ranks agree on tags again, since messages of a call that failed on some
  // rank may still lie at the old ones. Collective, as join() is, whatever this rank makes of the call.
  [[nodiscard]] int renew_tags();

  // Tells the ranks that may be waiting for this one in the current call that its part of it failed.
  void announce_failure(int error_class);
  // Whether the MPI refuses collectives on it, because a process died or somebody revoked it.
  [[nodiscard]] bool is_broken() const { return peers_.fault_tolerant && watch_.is_broken(); }

  // Drops all decisions.
  void forget_decisions();

  CallCounter& counter(Collective collective) { return counters_[static_cast<std::size_t>(collective)]; }
  [[nodiscard]] CallCount calls(Collective collective) const {
    return counters_[static_cast<std::size_t>(collective)].read();
  }

 private:
  [[nodiscard]] int agree_on_tags(bool able, const char* reason_if_not);
  void give_up(const char* reason) { facts_.unusual = reason; }

  Facts facts_;
  std::optional<int> id_;
  std::uint64_t call_ = 0;
  MpiPeers peers_;
  CallWatch watch_{peers_};
  std::unique_ptr<const Network> network_;
  std::array<CallCounter, std::size(all_collectives)> counters_;

 public:
  RecentCalls recent;
  PreparedCache prepared;
  StagingMemory staging;
  Statistics statistics;
};

}  // namespace espalier
