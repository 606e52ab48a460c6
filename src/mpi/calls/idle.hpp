// SPDX-License-Identifier: Apache-2.0
// Things with memory of theirs that wait to be used again: a bounded number of them, and of their bytes. From any
// thread.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace espalier {

template <class Thing>
class Idle {
 public:
  // The one that was used last of those that fit; null if there is none.
  template <class Fits>
  [[nodiscard]] std::unique_ptr<Thing> take(Fits fits) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(all_.rbegin(), all_.rend(), [&](const auto& one) { return fits(*one); });
    if (found == all_.rend()) return nullptr;
    std::unique_ptr<Thing> taken = std::move(*found);
    bytes_ -= taken->scratch_bytes();
    all_.erase(std::next(found).base());
    return taken;
  }
  // Those that have waited longest make room. For want of memory it is not kept.
  void give_back(std::unique_ptr<Thing> thing) noexcept try {
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = thing->scratch_bytes();
    while (!all_.empty() && (all_.size() == max_things || bytes_ + bytes > max_bytes)) {
      bytes_ -= all_.front()->scratch_bytes();
      all_.erase(all_.begin());
    }
    all_.push_back(std::move(thing));
    bytes_ += bytes;
  } catch (const std::bad_alloc&) {
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    all_.clear();
    bytes_ = 0;
  }

 private:
  static constexpr std::size_t max_things = 64, max_bytes = std::size_t{64} << 20;
  std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::vector<std::unique_ptr<Thing>> all_;  // the one that was used last at the end
};

}  // namespace espalier
