// SPDX-License-Identifier: Apache-2.0
// Memory for objects of one type that come and go all the time: that of those that went. From any thread.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
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
    void* const memory = count == 1 ? idle().take() : nullptr;
    return static_cast<Object*>(memory != nullptr ? memory : ::operator new(count * sizeof(Object)));
  }
  void deallocate(Object* memory, std::size_t count) noexcept {
    if (count != 1 || !idle().give_back(memory)) ::operator delete(memory);
  }
  friend bool operator==(const Recycled&, const Recycled&) { return true; }

 private:
  class Pieces {
   public:
    [[nodiscard]] void* take() {
      const std::lock_guard lock(mutex_);
      return count_ > 0 ? pieces_[--count_] : nullptr;
    }
    // False if there are enough.
    [[nodiscard]] bool give_back(void* piece) {
      const std::lock_guard lock(mutex_);
      if (count_ == pieces_.size()) return false;
      pieces_[count_++] = piece;
      return true;
    }

   private:
    std::mutex mutex_;
    std::size_t count_ = 0;
    std::array<void*, 64> pieces_{};
  };

  // Never destroyed: runs may end while the process does.
  static Pieces& idle() {
    static auto& pieces = *new Pieces;
    return pieces;
  }
};

}  // namespace espalier
