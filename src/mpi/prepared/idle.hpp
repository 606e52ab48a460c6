// SPDX-License-Identifier: Apache-2.0
// Things with memory of theirs that wait to be used again: a bounded number of them, and of their bytes.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "core/linked.hpp"

namespace espalier {

// One thread at a time takes; any thread gives back. `Thing` is Linked, with scratch_bytes().
template <class Thing>
class Idle {
 public:
  Idle() = default;
  Idle(const Idle&) = delete;
  Idle& operator=(const Idle&) = delete;
  ~Idle() { clear(); }

  // The one that was used last of those that fit; null if there is none.
  template <class Fits>
  [[nodiscard]] std::unique_ptr<Thing> take(Fits fits) {
    sort_in();
    const auto found = std::find_if(all_.rbegin(), all_.rend(), [&](const auto& one) { return fits(*one); });
    if (found == all_.rend()) return nullptr;
    std::unique_ptr<Thing> taken = std::move(*found);
    bytes_ -= taken->scratch_bytes();
    all_.erase(std::next(found).base());
    return taken;
  }
  // It is not kept if too much lies here already that nobody has asked for.
  void give_back(std::unique_ptr<Thing> thing) noexcept {
    const std::size_t its = weight(*thing), before = returned_weight_.fetch_add(its, std::memory_order_relaxed);
    if (before == 0 || before + its <= max_bytes) {
      returned_.leave(*thing.release());
    } else {
      returned_weight_.fetch_sub(its, std::memory_order_relaxed);
    }
  }
  // By any thread that may take.
  void clear() {
    sort_in();
    all_.clear();
    bytes_ = 0;
  }

 private:
  static constexpr std::size_t max_things = 64, max_bytes = std::size_t{64} << 20;

  // So that a bound on this is one on their number, too.
  static std::size_t weight(const Thing& thing) { return std::max(thing.scratch_bytes(), max_bytes / max_things); }

  void sort_in() {
    returned_.take_all([&](Thing& thing) {
      returned_weight_.fetch_sub(weight(thing), std::memory_order_relaxed);
      keep(std::unique_ptr<Thing>(&thing));
    });
  }

  // Those that have waited longest make room. On allocation failure it is not kept.
  void keep(std::unique_ptr<Thing> thing) noexcept try {
    const std::size_t bytes = thing->scratch_bytes();
    while (!all_.empty() && (all_.size() == max_things || bytes_ + bytes > max_bytes)) {
      bytes_ -= all_.front()->scratch_bytes();
      all_.erase(all_.begin());
    }
    all_.push_back(std::move(thing));
    bytes_ += bytes;
  } catch (const std::bad_alloc&) {
  }

  Inbox<Thing> returned_;
  std::atomic<std::size_t> returned_weight_{0};
  // Of the thread that takes.
  std::size_t bytes_ = 0;
  std::vector<std::unique_ptr<Thing>> all_;  // the one that was used last at the end
};

}  // namespace espalier
