// SPDX-License-Identifier: Apache-2.0
#include "scale/counted_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace espalier {

namespace {

CountedMemory counted;  // one thread

void* take(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  counted.kept += malloc_usable_size(memory);
  counted.peak = std::max(counted.peak, counted.kept);
  ++counted.taken;
  return memory;
}

void give_back(void* memory) {
  counted.kept -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

CountedMemory counted_memory() { return counted; }

void forget_peak() { counted.peak = counted.kept; }

}  // namespace espalier

void* operator new(std::size_t bytes) { return espalier::take(std::malloc(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return espalier::take(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept { espalier::give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { espalier::give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { espalier::give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { espalier::give_back(memory); }
