// SPDX-License-Identifier: Apache-2.0
// The numbers of calls, and so their tags, begin again from time to time: an epoch ends. Runs of one epoch may go on
// while the next has begun; but none of the next is started before they are over on this rank. So whatever has the
// same tag is sent in the order of the calls, and received in it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace espalier {

// Of one communicator. One thread at a time enters; all else is for any thread. While all runs are of one epoch, there
// is no lock.
class Epochs {
 public:
  void enter(std::uint64_t epoch) {
    PackedEpoch now = latest_.load(std::memory_order_relaxed);
    while (number(now) == epoch || runs(now) == 0) {
      const PackedEpoch entered = packed(epoch, runs(now) + 1);
      if (latest_.compare_exchange_weak(now, entered, std::memory_order_acq_rel)) return;
    }
    begin(epoch);
  }
  void leave(std::uint64_t epoch) {
    PackedEpoch now = latest_.load(std::memory_order_relaxed);
    while (number(now) == epoch) {
      if (latest_.compare_exchange_weak(now, now - 1, std::memory_order_acq_rel)) return;
    }
    leave_earlier(epoch);
  }
  // Of those with runs.
  [[nodiscard]] bool is_oldest(std::uint64_t epoch) const {
    if (has_earlier_.load(std::memory_order_acquire)) {
      const std::lock_guard lock(mutex_);
      if (!earlier_.empty()) return earlier_.front().number >= epoch;
    }
    const PackedEpoch now = latest_.load(std::memory_order_acquire);
    return runs(now) == 0 || number(now) >= epoch;
  }
  [[nodiscard]] bool empty() const {
    return !has_earlier_.load(std::memory_order_acquire) && runs(latest_.load(std::memory_order_acquire)) == 0;
  }

 private:
  // The number of an epoch and, in the lower bits, that of its runs.
  using PackedEpoch = std::uint64_t;
  static constexpr int run_bits = 24;
  static PackedEpoch packed(std::uint64_t number, std::uint64_t runs) { return number << run_bits | runs; }
  static std::uint64_t number(PackedEpoch epoch) { return epoch >> run_bits; }
  static std::uint64_t runs(PackedEpoch epoch) { return epoch & ((PackedEpoch{1} << run_bits) - 1); }

  struct Epoch {
    std::uint64_t number = 0, runs = 0;
  };

  // While earlier ones have runs. Anyone who may ask for those is told so before this one has any.
  void begin(std::uint64_t epoch) {
    const std::lock_guard lock(mutex_);
    earlier_.reserve(earlier_.size() + 1);
    has_earlier_.store(true, std::memory_order_release);
    const PackedEpoch before = latest_.exchange(packed(epoch, 1), std::memory_order_acq_rel);
    if (runs(before) > 0) earlier_.push_back({number(before), runs(before)});
    has_earlier_.store(!earlier_.empty(), std::memory_order_release);
  }
  void leave_earlier(std::uint64_t epoch) {
    const std::lock_guard lock(mutex_);
    const auto its = std::ranges::find(earlier_, epoch, &Epoch::number);
    if (--its->runs == 0) earlier_.erase(its);
    has_earlier_.store(!earlier_.empty(), std::memory_order_release);
  }

  std::atomic<PackedEpoch> latest_{0};
  std::atomic<bool> has_earlier_{false};
  mutable std::mutex mutex_;
  std::vector<Epoch> earlier_;  // than the latest, with runs; they were entered in this order
};

}  // namespace espalier
