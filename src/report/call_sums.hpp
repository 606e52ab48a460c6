// SPDX-License-Identifier: Apache-2.0
// Sums over timed calls, next to the rows of a report: of all calls of a collective, and of those from one place in the
// program. Any thread adds to them and reads them, without a lock.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "core/clock.hpp"
#include "report/job_sums.hpp"

namespace espalier {

struct CallSums {
  std::atomic<std::uint64_t> calls{0}, bytes{0}, nanoseconds{0};

  void add(std::uint64_t more_calls, std::uint64_t more_bytes, Clock::duration taken) {
    const auto time = static_cast<std::uint64_t>(std::chrono::nanoseconds(taken).count());
    calls.fetch_add(more_calls, std::memory_order_relaxed);
    bytes.fetch_add(more_bytes, std::memory_order_relaxed);
    nanoseconds.fetch_add(time, std::memory_order_relaxed);
  }
};

// By collective, as a log has them (job_sums.hpp).
struct CollectiveTotals {
  std::array<CallSums, logged_count> sums;
  std::array<std::atomic<double>, logged_count> saved_seconds{};  // of this rank, less what was lost
};

// Where a call is added up; null: nowhere.
struct CallAccount {
  CallSums* collective = nullptr;
  CallSums* site = nullptr;

  void add(std::uint64_t calls, std::uint64_t bytes, Clock::duration taken) const {
    if (collective != nullptr) collective->add(calls, bytes, taken);
    if (site != nullptr) site->add(calls, bytes, taken);
  }
};

}  // namespace espalier
