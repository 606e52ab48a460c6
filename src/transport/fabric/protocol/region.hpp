// SPDX-License-Identifier: Apache-2.0
// Memory of this process in which others may write.
#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/fabric/wire/wire.hpp"

namespace espalier {

struct MemoryArea {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;

  [[nodiscard]] bool holds(const std::byte* first, std::size_t count) const {
    if (begin == nullptr || first < begin || count > bytes) return false;
    return static_cast<std::size_t>(first - begin) <= bytes - count;
  }
};

struct WritableRegion {
  std::uint32_t id = 0;  // of no other one of this process for a long time; never 0
  MemoryArea area;
  FabricRecord::Where where{};  // by which keys
};

}  // namespace espalier
