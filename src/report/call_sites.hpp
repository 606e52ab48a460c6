// SPDX-License-Identifier: Apache-2.0
// From where in the program functions are called, by the address that each call returns to. A table of a fixed size,
// which any thread reads and adds to without a lock; a call from a known place allocates nothing.
#pragma once

#include <memory>

#include "report/call_sums.hpp"

namespace espalier {

class CallSites {
 public:
  static constexpr std::size_t max_sites = 1024;

  // One place may call several functions, by a pointer. `function`: static text, "MPI_Bcast". All places beyond the
  // first `max_sites` share their sums.
  [[nodiscard]] CallSums& at(const void* address, const char* function) noexcept;

  struct Site {
    const void* address = nullptr;  // null: of several places
    const char* function = "";
    const CallSums* sums = nullptr;
  };
  template <class Visit>
  void for_each(Visit visit) const {
    for (const SiteSlot& slot : slots_) {
      const char* const function = slot.function.load(std::memory_order_acquire);
      if (function != nullptr) visit(Site{slot.address.load(std::memory_order_relaxed), function, &slot.sums});
    }
    if (others_.calls.load(std::memory_order_relaxed) > 0) visit(Site{.sums = &others_});
  }

 private:
  // The address is there first.
  struct SiteSlot {
    std::atomic<const void*> address{nullptr};
    std::atomic<const char*> function{nullptr};
    CallSums sums;
  };
  [[nodiscard]] static bool is_of(const SiteSlot& slot, const char* function) noexcept;

  std::array<SiteSlot, 2 * max_sites> slots_;
  std::atomic<std::size_t> used_{0};
  CallSums others_;
};

}  // namespace espalier
