// SPDX-License-Identifier: Apache-2.0
// A process that has waited long sleeps, so that others have its core, until one of them has written something for it
// (a futex). To look whether another one sleeps costs a sender a load of a line that hardly ever changes.
#pragma once

#include <atomic>
#include <chrono>

#include "transport/shm/stream.hpp"

namespace espalier {

class SleepWord {
 public:
  static constexpr std::size_t bytes = cache_line_bytes;

  // In shared memory that is zero at first; one for each process.
  explicit SleepWord(std::byte* line) : word_(reinterpret_cast<std::atomic<std::uint32_t>*>(line)) {}

  // Of this process: until it is woken, or for that long. `has_work` is asked when others can see that it sleeps: what
  // was written before that wakes nobody. True if there was something to do, or somebody says so.
  //
  // A sender does not wait until its frame is visible before it looks for sleepers, so once in a great while it misses
  // one: sleeps are to be short.
  template <class HasWork>
  bool sleep(std::chrono::nanoseconds most, HasWork has_work) {
    word_->store(asleep);
    const bool is_over = has_work() || wait(most);
    word_->store(awake, std::memory_order_relaxed);
    return is_over;
  }
  // Of another process.
  void wake_if_asleep() const {
    if (word_->load(std::memory_order_relaxed) == asleep) [[unlikely]]
      wake();
  }

 private:
  static constexpr std::uint32_t awake = 0, asleep = 1;

  [[nodiscard]] bool wait(std::chrono::nanoseconds most) const;
  void wake() const;

  std::atomic<std::uint32_t>* word_;
};

}  // namespace espalier
