// SPDX-License-Identifier: Apache-2.0
// All processes of a job that share memory, as one of them sees it: an introduction of each, a stream from each to
// each, and spare rings of each. Memory that is all zero is where they begin; a stream that nobody uses takes no page
// of it.
//
// All calls but guard() want the lock held, where several threads use it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "transport/shm/shm_peer.hpp"

namespace espalier {

class ShmNode {
 public:
  // Where this process's part lies: by numbers that all have agreed on.
  struct NodePlace {
    std::byte* base = nullptr;  // of bytes_for(processes, spare_rings), page by page
    int processes = 1;
    std::uint32_t spare_rings = 0;  // for each process
    int me = 0;
  };
  [[nodiscard]] static std::size_t bytes_for(int processes, std::uint32_t spare_rings);
  // Of each stream.
  [[nodiscard]] static StreamSize stream_size(int processes);

  // Introduces this process. Collective: the others are met when all have done it.
  explicit ShmNode(const NodePlace& place);
  ~ShmNode();
  ShmNode(const ShmNode&) = delete;
  ShmNode& operator=(const ShmNode&) = delete;
  void meet(const ShmPeer::ShmLimits& limits);

  // From now on several threads may use it.
  void use_lock() { has_lock_ = true; }
  [[nodiscard]] std::unique_lock<std::mutex> guard() {
    return has_lock_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }

  [[nodiscard]] int processes() const { return place_.processes; }
  [[nodiscard]] ShmPeer& peer(int process) { return *peers_[static_cast<std::size_t>(process)]; }
  // Whose memory can be read.
  [[nodiscard]] bool is_readable(int process) const { return is_readable_[static_cast<std::size_t>(process)] != 0; }

  // Somebody has a message under way with it.
  void note_busy(int process) {
    if (is_noted_[static_cast<std::size_t>(process)] != 0) [[likely]]
      return;
    is_noted_[static_cast<std::size_t>(process)] = 1;
    busy_.push_back(process);
  }
  // Of all those that are busy. True if anything has moved.
  bool make_progress();
  void forget(const Completions& whose);
  // Until there may be something to do, or for that long. Wants no lock held. True if there was.
  bool sleep(std::chrono::nanoseconds most) {
    return sleep_.sleep(most, [this] {
      const auto held = guard();
      return make_progress();
    });
  }

 private:
  const NodePlace place_;
  bool has_lock_ = false;
  std::mutex mutex_;
  const std::unique_ptr<std::uint64_t> proof_;  // a number that others find in this process alone
  SleepWord sleep_;
  SpareRings spares_;
  std::vector<std::unique_ptr<ShmPeer>> peers_;
  std::vector<char> is_readable_, is_noted_;
  std::vector<int> busy_;
};

}  // namespace espalier
