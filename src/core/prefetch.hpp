// SPDX-License-Identifier: Apache-2.0
// Memory that is read soon: who plays all ranks of a large run finds little in a cache.
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier {

// The statement keeps calls of functions that do nothing else: GCC takes these for free of effects and drops them.
inline void prefetch(const void* place) {
  __builtin_prefetch(place);
  asm volatile("");
}

// All lines of the cache in which it lies.
inline void prefetch_all(const void* begin, std::size_t bytes) {
  constexpr std::size_t line = 64;
  const auto* first = static_cast<const char*>(begin);
  const std::size_t before = reinterpret_cast<std::uintptr_t>(begin) % line;
  for (std::size_t at = 0; at < before + bytes; at += line) prefetch(first - before + at);
}

template <class Object>
void prefetch_object(const Object& object) {
  prefetch_all(&object, sizeof(Object));
}

}  // namespace espalier
