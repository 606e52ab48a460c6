// SPDX-License-Identifier: Apache-2.0
// From a handle to what belongs to it, without a lock, for any number of threads.
//
// It relies on how handles are used: anyone who looks one up is using it, so nobody removes that very one meanwhile.
// Others may come and go meanwhile. What does not fit is not kept: the caller then asks a slower source.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace espalier {

template <class T>
class HandleTable {
 public:
  using Handle = std::uintptr_t;  // not 0

  [[nodiscard]] T* find(Handle handle) const {
    for (const Slot& slot : set_of(handle)) {
      if (slot.handle.load(std::memory_order_acquire) == handle) return slot.value.load(std::memory_order_relaxed);
    }
    return nullptr;
  }

  // One thread at a time may change the table. Inserting a handle twice is not allowed. Whether there was room for it.
  bool insert(Handle handle, T* value) {
    for (Slot& slot : set_of(handle)) {
      if (slot.handle.load(std::memory_order_relaxed) != 0) continue;
      slot.value.store(value, std::memory_order_relaxed);
      slot.handle.store(handle, std::memory_order_release);
      return true;
    }
    return false;
  }

  void remove(Handle handle) {
    for (Slot& slot : set_of(handle)) {
      if (slot.handle.load(std::memory_order_relaxed) != handle) continue;
      slot.value.store(nullptr, std::memory_order_relaxed);  // anyone who looks up 0, which is no handle, finds nothing
      slot.handle.store(0, std::memory_order_release);
    }
  }

 private:
  struct Slot {
    std::atomic<Handle> handle{0};
    std::atomic<T*> value{nullptr};
  };
  static constexpr std::size_t slots_per_set = 4;  // one cache line
  static constexpr std::size_t sets = 256;
  struct alignas(64) Set : std::array<Slot, slots_per_set> {};

  // Handles are addresses of objects or small numbers in a row.
  [[nodiscard]] static std::size_t index_of(Handle handle) { return (handle ^ (handle >> 8) ^ (handle >> 16)) % sets; }
  [[nodiscard]] const Set& set_of(Handle handle) const { return sets_[index_of(handle)]; }
  [[nodiscard]] Set& set_of(Handle handle) { return sets_[index_of(handle)]; }

  std::array<Set, sets> sets_;
};

}  // namespace espalier
