// SPDX-License-Identifier: Apache-2.0
// This process's end of the fabric: its lanes, the other processes, and the progress of all that is under way between
// them. Knows no MPI: its maker says what the processes must know of each other (AddressRecord) and passes it on.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/clock.hpp"
#include "transport/fabric/inlets.hpp"
#include "transport/fabric/lanes/nic.hpp"
#include "transport/fabric/lanes/registrations.hpp"
#include "transport/fabric/lanes/unguessable.hpp"
#include "transport/fabric/protocol/turns.hpp"
#include "transport/fabric/wire/distance.hpp"
#include "transport/fabric/wire/wire.hpp"

namespace espalier {

class Listener;
class Libfabric;
class Lane;
class Link;
class Peer;
struct HandshakeMessage;
struct Work;

// Any thread may make calls; they exclude each other.
class FabricLock {
 public:
  void lock();
  [[nodiscard]] bool try_lock() { return !taken_.test_and_set(std::memory_order_acquire); }
  void unlock() { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_;
};

class Fabric {
 public:
  struct Options {
    std::vector<FabricNic> nics;  // at most max_lanes are used
    Rank me = 0;
    double nic_bytes_per_second = 0;                 // their mean; 0: not known
    std::chrono::duration<double> lane_timeout{60};  // for so long there may be no lane to another process
  };

  // Opens the lanes. Throws NoFabric if one of them cannot be had.
  explicit Fabric(Options options);
  ~Fabric();
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  [[nodiscard]] AddressRecord address_record() const;
  // Once, before all else: of all processes, by rank. The first one's secret becomes that of the job.
  void meet(std::span<const AddressRecord> address_records);
  // Then, if some are not near. By rank.
  void set_distances(std::vector<Distance> distances) { distances_ = std::move(distances); }

  // By how many lanes the two can reach each other: both say the same. From any thread.
  [[nodiscard]] int lanes_to(Rank rank) const {
    const std::size_t theirs = address_records_[static_cast<std::size_t>(rank)].lanes;
    return static_cast<int>(std::min<std::size_t>({lanes_.size(), theirs, max_lanes}));
  }

  // All of the following hold the lock.
  [[nodiscard]] FabricLock& lock() { return lock_; }
  // Whether anything was ever sent or expected, or may arrive from a process of which nothing is expected.
  [[nodiscard]] bool is_used() const { return !known_.empty() || word_receiver_ != nullptr; }
  // What receives words, with the lock held; set before any can come.
  using WordReceiver = void (*)(Fabric& fabric, Rank from, const FabricWord& word) noexcept;
  void set_word_receiver(WordReceiver word_receiver) { word_receiver_ = word_receiver; }
  void receive_word(Rank from, const FabricWord& word) {
    if (word_receiver_ != nullptr) word_receiver_(*this, from, word);
  }
  // Gets there, or does not, if a lane fails meanwhile.
  void send_word(Rank to, const FabricWord& word);
  // Of another process.
  [[nodiscard]] Peer& peer(Rank rank);
  // Takes in what has arrived and goes on with what can go on. False if there was nothing.
  bool progress();
  // For a caller whose wait has been empty: looks whether lanes work, from time to time.
  void watch();
  [[nodiscard]] Registrations& registrations() { return registrations_; }
  [[nodiscard]] Unguessable& unguessable() { return unguessable_; }
  [[nodiscard]] Turns& turns() { return turns_; }
  [[nodiscard]] Inlets& inlets() { return inlets_; }

  // Without the lock: returns when something has arrived, or after that time.
  void sleep(std::chrono::milliseconds at_most);

  // Of one of the lanes.
  [[nodiscard]] const FabricNic& nic(std::size_t lane) const { return options_.nics[lane]; }

  // For peers.
  [[nodiscard]] std::vector<std::unique_ptr<Lane>>& lanes() { return lanes_; }
  [[nodiscard]] Listener& listener(int lane) { return *listeners_[static_cast<std::size_t>(lane)]; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const HashKey& secret() const { return secret_; }                // of the job
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> anchor(int lane) const;  // key, base
  // Takes in all that is over by now. Goes on with nothing.
  void drain() { (void)poll_lanes(); }
  // Links that were closed: libfabric may still speak of what belonged to them.
  void keep_for_a_while(std::vector<std::unique_ptr<Link>> links);

  // That have begun, with all peers.
  std::uint64_t epochs = 0;

 private:
  void take_arrival(std::uint64_t bits);
  void take_end(Work& work, std::size_t bytes, int error);
  void take_handshake(HandshakeMessage& message, std::size_t bytes, int error);
  [[nodiscard]] bool opens(SealedHandshake& sealed, std::size_t bytes) const;
  bool poll_lanes();
  void go_on();

  const Options options_;
  const std::unique_ptr<const Libfabric> library_;
  FabricLock lock_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  Unguessable unguessable_;
  Registrations registrations_;
  std::array<std::byte, 64> anchor_memory_{};
  RegisteredMemory anchor_;
  WordReceiver word_receiver_ = nullptr;
  HashKey secret_ = draw_key();
  std::vector<AddressRecord> address_records_;
  std::vector<Distance> distances_;           // by rank; empty: all are near
  std::vector<std::unique_ptr<Peer>> peers_;  // by rank
  std::vector<Peer*> known_;
  Inlets inlets_{unguessable_};
  Turns turns_{options_.nic_bytes_per_second};
  Clock::time_point watched_{};

  struct Closed {
    Clock::time_point at;
    std::vector<std::unique_ptr<Link>> links;
  };
  std::deque<Closed> closed_;
};

}  // namespace espalier
