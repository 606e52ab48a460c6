// SPDX-License-Identifier: Apache-2.0
// The numbers that this process has not given to a communicator yet. A number stands for a block of tags on the one
// communicator of all our traffic; agreement.hpp says how the ranks of a communicator come to have the same one.
//
// reserve() and release() work from any thread and never wait: a thread that waits here while another is inside a
// collective call of the native MPI could wait permanently.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace espalier {

inline constexpr int id_limit = 4096;

// One bit per number: set if it is free.
using FreeIds = std::array<std::uint64_t, id_limit / 64>;

[[nodiscard]] std::optional<int> lowest_of(const FreeIds& ids);

class IdPool {
 public:
  // Numbers from 0 to count - 1; at most id_limit.
  explicit IdPool(int count = id_limit);

  // Only one thread at a time may ask others what is free: the one that got the turn.
  [[nodiscard]] bool try_take_turn() { return !turn_taken_.test_and_set(std::memory_order_acquire); }
  void end_turn() { turn_taken_.clear(std::memory_order_release); }

  [[nodiscard]] FreeIds free_ids() const;
  void reserve(int id);
  void release(int id);

 private:
  std::atomic_flag turn_taken_;
  std::array<std::atomic<std::uint64_t>, id_limit / 64> free_{};
};

}  // namespace espalier
