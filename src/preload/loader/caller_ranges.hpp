// SPDX-License-Identifier: Apache-2.0
// Who calls: a table from address ranges to callers, read on every intercepted call.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace espalier {

struct Caller {
  std::int16_t mpi = -1;  // index of the MPI library that it uses (preload/callers.hpp); -1: none
  bool internal = false;  // the MPI library itself, or a plugin of it
};

struct CallerRange {
  std::uintptr_t first, last;  // [first, last)
  Caller caller;
};

// Readers take no lock and write nothing: they search a sorted snapshot that never changes. A writer publishes a new
// snapshot and leaves the old one to its readers permanently; there are as many as modules that call MPI, so few and
// small.
class CallerRanges {
 public:
  // Beyond this, which only code made at run time could reach, callers are classified at every call.
  static constexpr std::size_t max_ranges = 256;

  [[nodiscard]] const CallerRange* find(const void* address) const {
    const Snapshot* snapshot = current_.load(std::memory_order_acquire);
    if (!snapshot) return nullptr;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const CallerRange* range = snapshot->ranges;
    for (std::size_t left = snapshot->count; left > 1;) {
      const std::size_t half = left / 2;
      range += range[half].first <= at ? half : 0;
      left -= half;
    }
    return at - range->first < range->last - range->first ? range : nullptr;
  }

  // Ranges must not overlap, except that adding the same one twice (two threads met) is harmless.
  void add(const CallerRange& range);

 private:
  struct Snapshot {
    const Snapshot* previous;  // still somebody's, perhaps
    std::size_t count;
    CallerRange ranges[];
  };

  std::atomic<const Snapshot*> current_ = nullptr;
  pthread_mutex_t writers_ = PTHREAD_MUTEX_INITIALIZER;
};

}  // namespace espalier
