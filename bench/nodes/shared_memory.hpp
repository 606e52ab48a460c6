// SPDX-License-Identifier: Apache-2.0
// Memory that all ranks of a communicator on one machine share, and how they wait for what others write there: numbers
// that only grow, each written by one rank alone and in a line of its own.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace bench {

// All zeros at first. Throws std::runtime_error if ranks cannot share it.
class SharedMemory {
 public:
  // Collective.
  SharedMemory(MPI_Comm comm, std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  [[nodiscard]] void* data() const { return data_; }

 private:
  const std::size_t bytes_;
  void* data_ = nullptr;
};

// One of these there, whose bytes mean something when they are all zeros.
template <class Type>
class Shared {
 public:
  explicit Shared(MPI_Comm comm) : memory_(comm, sizeof(Type)) {}
  Type* operator->() const { return static_cast<Type*>(memory_.data()); }
  Type& operator*() const { return *static_cast<Type*>(memory_.data()); }

 private:
  SharedMemory memory_;
};

using Number = std::atomic<std::uint64_t>;

// Processors fetch lines in pairs, so nothing of another rank's lies in the second one.
inline constexpr std::size_t apart = 128;
struct alignas(apart) LoneNumber {
  Number number;
};

inline void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Until the number has come so far. meanwhile() is called now and then, from when it takes long.
template <class Meanwhile>
void await(const Number& number, std::uint64_t wanted, Meanwhile meanwhile) {
  constexpr int eager_looks = 64, long_wait = 4000, looks_between = 200;  // a pause may take as long as a line's way
  for (int looks = 0; number.load(std::memory_order_acquire) < wanted; ++looks) {
    if (looks > eager_looks) pause_briefly();
    if (looks > long_wait && looks % looks_between == 0) meanwhile();
  }
}

// Ranks may outnumber the processors.
void yield_processor();

}  // namespace bench
