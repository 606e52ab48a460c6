// SPDX-License-Identifier: Apache-2.0
#include "report/call_sites.hpp"

#include <bit>
#include <thread>

#include "core/hash.hpp"

namespace espalier {

// Another thread may be about to say which function it is.
bool CallSites::is_of(const SiteSlot& slot, const char* function) noexcept {
  const char* known = nullptr;
  while ((known = slot.function.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
  return known == function;
}

CallSums& CallSites::at(const void* address, const char* function) noexcept {
  std::size_t place = mix(std::bit_cast<std::uintptr_t>(address));
  for (;; ++place) {
    SiteSlot& slot = slots_[place % slots_.size()];
    const void* known = slot.address.load(std::memory_order_acquire);
    if (known == nullptr) {
      if (used_.load(std::memory_order_relaxed) >= max_sites) return others_;
      if (slot.address.compare_exchange_strong(known, address)) {
        used_.fetch_add(1, std::memory_order_relaxed);
        slot.function.store(function, std::memory_order_release);
        return slot.sums;
      }
    }
    if (known == address && is_of(slot, function)) return slot.sums;
  }
}

}  // namespace espalier
