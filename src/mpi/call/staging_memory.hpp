// SPDX-License-Identifier: Apache-2.0
// Memory of ours in which the elements of an unusual layout lie one after the other. Kept from call to call unless it
// is large.
#pragma once

#include "engine/scratch.hpp"

namespace espalier {

class StagingMemory {
 public:
  [[nodiscard]] std::byte* at_least(std::size_t bytes) {
    if (bytes > bytes_) {
      memory_ = Scratch(bytes);
      bytes_ = bytes;
    }
    return memory_.data();
  }
  void release_if_large() {
    if (bytes_ <= max_kept_bytes) return;
    memory_ = Scratch(0);
    bytes_ = 0;
  }

 private:
  static constexpr std::size_t max_kept_bytes = std::size_t{1} << 20;
  Scratch memory_{0};
  std::size_t bytes_ = 0;
};

}  // namespace espalier
