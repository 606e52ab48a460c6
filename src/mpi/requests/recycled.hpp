// SPDX-License-Identifier: Apache-2.0
// Memory for objects of one type that come and go all the time: that of those that went. From any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <new>

namespace espalier {

// An allocator, for single objects.
template <class Object>
class Recycled {
 public:
  using value_type = Object;

  Recycled() = default;
  template <class Other>
  Recycled(const Recycled<Other>& /*other*/) {}

  [[nodiscard]] Object* allocate(std::size_t count) {
    void* const memory = count == 1 ? taken() : nullptr;
    return static_cast<Object*>(memory != nullptr ? memory : ::operator new(count * sizeof(Object)));
  }
  void deallocate(Object* memory, std::size_t count) noexcept {
    if (count != 1 || !is_given_back(memory)) ::operator delete(memory);
  }
  friend bool operator==(const Recycled&, const Recycled&) { return true; }

 private:
  using RecycledPlace = std::atomic<void*>;

  [[nodiscard]] static void* taken() {
    for (RecycledPlace& place : places()) {
      if (place.load(std::memory_order_relaxed) == nullptr) continue;
      if (void* const memory = place.exchange(nullptr, std::memory_order_acquire)) return memory;
    }
    return nullptr;
  }
  // False if all places are full.
  [[nodiscard]] static bool is_given_back(void* memory) {
    for (RecycledPlace& place : places()) {
      void* nothing = nullptr;
      if (place.load(std::memory_order_relaxed) == nullptr &&
          place.compare_exchange_strong(nothing, memory, std::memory_order_release, std::memory_order_relaxed))
        return true;
    }
    return false;
  }

  // Never destroyed: runs may end while the process does.
  static auto& places() {
    static auto& all = *new std::array<RecycledPlace, 64>();
    return all;
  }
};

}  // namespace espalier
