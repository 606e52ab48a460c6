// SPDX-License-Identifier: Apache-2.0
// Who copies what of a long message: its receiver reads it in the sender's memory, the sender writes it into the
// receiver's, and each takes the next slice that nobody has. It lies in the sender's stream; memory that is all zero is
// no message.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "transport/shm/frame.hpp"

namespace espalier {

class MessageSlices {
 public:
  // By the sender: the message is there under that name, and no longer. What was read after close() may be anything.
  void open(TransferName name) {
    written_.store(0, std::memory_order_relaxed);
    taken_.store(word_of(name, 0), std::memory_order_release);
  }
  void close() {
    taken_.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  // Whether what was read until now was the message.
  [[nodiscard]] bool is_open(TransferName name) const {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return name_in(taken_.load(std::memory_order_acquire)) == name;
  }

  struct Slices {
    std::uint32_t first = 0, count = 0;
  };
  // By either end: the next ones of that many, `most` at most. None: all are taken, or the message is not there any
  // more.
  [[nodiscard]] Slices take(TransferName name, std::uint32_t slices, std::uint32_t most) {
    std::uint64_t word = taken_.load(std::memory_order_relaxed);
    std::uint32_t count = 0;
    do {
      if (name_in(word) != name || number_in(word) >= slices) return {};
      count = std::min(most, slices - number_in(word));
    } while (!taken_.compare_exchange_weak(word, word + count, std::memory_order_acq_rel));
    return {number_in(word), count};
  }
  // All that nobody has taken. How many had been.
  std::uint32_t take_all(TransferName name, std::uint32_t slices) {
    std::uint64_t word = taken_.load(std::memory_order_relaxed);
    do {
      if (name_in(word) != name) return 0;
    } while (!taken_.compare_exchange_weak(word, word_of(name, slices), std::memory_order_acq_rel));
    return number_in(word);
  }

  // By the sender: one that it has taken lies in the receiver's memory; or it cannot write there, and what it has
  // taken stays undone.
  void note_written() { written_.fetch_add(1, std::memory_order_release); }
  void decline() { written_.store(declined, std::memory_order_release); }
  [[nodiscard]] std::uint32_t written() const { return written_.load(std::memory_order_acquire); }

  static constexpr std::uint32_t declined = ~0U;

 private:
  [[nodiscard]] static std::uint64_t word_of(TransferName name, std::uint32_t number) {
    return std::uint64_t{name} << 32 | number;
  }
  [[nodiscard]] static TransferName name_in(std::uint64_t word) { return static_cast<TransferName>(word >> 32); }
  [[nodiscard]] static std::uint32_t number_in(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

  std::atomic<std::uint64_t> taken_;  // name and number
  std::atomic<std::uint32_t> written_;
};

}  // namespace espalier
