// SPDX-License-Identifier: Apache-2.0
// The numbers of calls, and so their tags, begin anew from time to time: an epoch ends. Runs of one epoch may be under
// way while the next has begun; but none of the next is started before they are over on this rank. So whatever has the
// same tag is sent in the order of the calls, and received in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

namespace espalier {

// Of one communicator. From any thread.
class Epochs {
 public:
  void enter(std::uint64_t epoch) {
    const std::lock_guard lock(mutex_);
    if (epochs_.empty() || epochs_.back().number != epoch) epochs_.push_back({epoch, 0});
    ++epochs_.back().runs;
  }
  void leave(std::uint64_t epoch) {
    const std::lock_guard lock(mutex_);
    const auto its = std::ranges::find(epochs_, epoch, &Epoch::number);
    if (--its->runs == 0) epochs_.erase(its);
  }
  // Of those with runs.
  [[nodiscard]] bool is_oldest(std::uint64_t epoch) const {
    const std::lock_guard lock(mutex_);
    return epochs_.empty() || epochs_.front().number >= epoch;
  }
  [[nodiscard]] bool empty() const {
    const std::lock_guard lock(mutex_);
    return epochs_.empty();
  }

 private:
  struct Epoch {
    std::uint64_t number = 0;
    int runs = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Epoch> epochs_;  // with runs; they are entered in their order
};

}  // namespace espalier
