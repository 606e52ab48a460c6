// SPDX-License-Identifier: Apache-2.0
// What one side of a channel has posted and the other one has not, in order.
//
// A few lie here, in one line of the cache for each channel, as no cache holds those of all ranks. More are rare, since
// a window bounds what an operation posts ahead: they are kept apart.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include "engine/progress.hpp"

namespace espalier {

struct WaitingItem {
  Item item;
  std::uint32_t number = 0;  // of a send, among those of its rank
};

class alignas(64) WaitingItems {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  // Of those that wait.
  [[nodiscard]] bool are_sends() const { return are_sends_; }

  // If there are some, they are of that side, too.
  void push(const WaitingItem& posted, bool is_send) {
    are_sends_ = is_send;
    if (count_ < few) {
      here_[(first_ + count_++) % few] = posted;
      return;
    }
    if (more_ == nullptr) more_ = std::make_unique<std::deque<WaitingItem>>();
    more_->push_back(posted);
  }

  // The first. Not empty.
  WaitingItem pop() {
    const WaitingItem first = here_[first_];
    first_ = (first_ + 1) % few;
    --count_;
    if (more_ != nullptr && !more_->empty()) [[unlikely]] {
      here_[(first_ + count_++) % few] = more_->front();
      more_->pop_front();
    }
    return first;
  }

 private:
  static constexpr std::uint8_t few = 4;

  std::array<WaitingItem, few> here_;
  std::uint8_t first_ = 0, count_ = 0;
  bool are_sends_ = false;
  std::unique_ptr<std::deque<WaitingItem>> more_;  // after those, if here is no room
};
static_assert(sizeof(WaitingItems) == 64);

}  // namespace espalier
