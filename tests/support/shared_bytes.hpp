// SPDX-License-Identifier: Apache-2.0
// Memory as a node shares it: pages that are all zero until somebody writes there.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace espalier {

class SharedBytes {
 public:
  explicit SharedBytes(std::size_t bytes)
      : bytes_(bytes), data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~SharedBytes() { munmap(data_, bytes_); }
  SharedBytes(const SharedBytes&) = delete;
  SharedBytes& operator=(const SharedBytes&) = delete;

  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  const std::size_t bytes_;
  void* const data_;
};

}  // namespace espalier
