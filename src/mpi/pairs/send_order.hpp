// SPDX-License-Identifier: Apache-2.0
// Puts sends in the order of their turns before they are started, without asking for memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace espalier {

// At most `most` are put in order; what comes after those, after them.
template <class Handle, std::size_t most = 128>
class SendOrder {
 public:
  [[nodiscard]] bool is_full() const { return count_ == most; }
  // While it is not full.
  void add(int turn, Handle& handle) { sends_[count_++] = {turn, &handle}; }
  // All that were added, by `start_one(handle)`, which returns an MPI code; the first that is no success ends it.
  template <class StartOne>
  [[nodiscard]] int start(StartOne start_one) {
    const std::span sends = std::span(sends_).first(std::exchange(count_, 0));
    std::ranges::sort(sends, {}, &Send::turn);
    for (const Send& send : sends) {
      if (const int status = start_one(send.handle); status != 0) return status;
    }
    return 0;
  }

 private:
  struct Send {
    int turn = 0;
    Handle* handle = nullptr;
  };
  std::array<Send, most> sends_;
  std::size_t count_ = 0;
};

}  // namespace espalier
