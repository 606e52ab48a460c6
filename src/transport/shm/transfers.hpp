// SPDX-License-Identifier: Apache-2.0
// Long messages under way, by names under which another process speaks of them: a name is never used again soon, so
// what is said of one that is over meets no other.
#pragma once

#include <optional>
#include <vector>

#include "transport/shm/frame.hpp"

namespace espalier {

template <class Transfer>
class Transfers {
 public:
  // 0: there are too many. Throws std::bad_alloc.
  [[nodiscard]] TransferName add(Transfer transfer) {
    if (free_.empty()) {
      if (slots_.size() == max_slots) return 0;
      free_.reserve(slots_.size() + 1);  // remove() does not fail
      slots_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot].transfer = std::move(transfer);
    return name_of(slot);
  }
  // Null: it is over. Valid until the next add().
  [[nodiscard]] Transfer* find(TransferName name) {
    const std::uint32_t slot = slot_of(name);
    if (slot >= slots_.size() || name_of(slot) != name || !slots_[slot].transfer) return nullptr;
    return &*slots_[slot].transfer;
  }
  void remove(TransferName name) {
    const std::uint32_t slot = slot_of(name);
    slots_[slot].transfer.reset();
    if (++slots_[slot].generation == max_generation) slots_[slot].generation = 1;
    free_.push_back(slot);
  }
  // Those of which is_it(name, transfer) is true; `each` is told their names first.
  template <class IsIt, class Each>
  void remove_if(IsIt is_it, Each each) {
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      if (!slots_[slot].transfer || !is_it(*slots_[slot].transfer)) continue;
      each(name_of(slot));
      remove(name_of(slot));
    }
  }
  // How many there have been at most.
  [[nodiscard]] std::size_t slots() const { return slots_.size(); }
  [[nodiscard]] bool empty() const { return free_.size() == slots_.size(); }

  [[nodiscard]] static std::uint32_t slot_of(TransferName name) { return name & (max_slots - 1); }

 private:
  static constexpr std::uint32_t bits_of_slot = 16, max_slots = 1U << bits_of_slot, max_generation = 1U << 16;

  struct TransferSlot {
    std::optional<Transfer> transfer;
    std::uint32_t generation = 1;
  };
  [[nodiscard]] TransferName name_of(std::uint32_t slot) const {
    return slots_[slot].generation << bits_of_slot | slot;
  }

  std::vector<TransferSlot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace espalier
