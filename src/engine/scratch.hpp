// SPDX-License-Identifier: Apache-2.0
// The scratch memory of one bound schedule: allocated once, at the start of a cache line.
#pragma once

#include <cstddef>
#include <memory>

namespace espalier {

class Scratch {
 public:
  explicit Scratch(std::size_t bytes);
  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace espalier
