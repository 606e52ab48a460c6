// SPDX-License-Identifier: Apache-2.0
// From (buffer, offset) to an address, and the local work on what lies there.
#pragma once

#include <array>
#include <cstring>

#include "engine/call.hpp"
#include "schedule/schedule.hpp"

namespace espalier {

// Where the buffers of the current call begin. Input is only read, by construction of every schedule.
class Addresses {
 public:
  explicit Addresses(std::byte* scratch) { base_[static_cast<std::size_t>(Buffer::scratch)] = scratch; }

  void set(const Buffers& buffers) {
    base_[static_cast<std::size_t>(Buffer::input)] = const_cast<std::byte*>(buffers.input);
    base_[static_cast<std::size_t>(Buffer::output)] = buffers.output;
  }
  [[nodiscard]] std::byte* at(Buffer buffer, std::size_t offset_bytes) const {
    return base_[static_cast<std::size_t>(buffer)] + offset_bytes;
  }

 private:
  std::array<std::byte*, 4> base_{};
};

inline void copy_elements(const Elements& how, std::byte* target, const std::byte* source, std::size_t elements) {
  if (target == source || elements == 0) return;
  if (how.copy.function != nullptr) return how.copy.function(target, source, elements, how.copy.context);
  std::memcpy(target, source, elements * how.stride_bytes);
}

inline void reduce_elements(const Elements& how, std::byte* target, const std::byte* left, const std::byte* right,
                            std::size_t elements) {
  if (elements != 0) how.reduction(target, left, right, elements);
}

}  // namespace espalier
