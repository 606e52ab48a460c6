// SPDX-License-Identifier: Apache-2.0
// Short messages from one rank to another in lines that hold their own number: a reader that sees it sees the data, so
// a line travels once. Lines follow each other in a ring; what was taken is written now and then looked at, in a line
// of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "../shared_memory.hpp"

namespace bench {

inline void wait_on() {}  // two ranks on two cores: nothing to do meanwhile

template <std::size_t distance_bytes, std::size_t line_count>
struct LineRing {
  static constexpr std::size_t doubles_per_line = 7, length = line_count;

  struct alignas(distance_bytes) Line {
    Number number;
    double payload[doubles_per_line];
  };

  Line lines[length];
  LoneNumber taken;
};

// A few apart from each other, and many that processors fetch in pairs.
using FewLines = LineRing<apart, 16>;
using ManyLines = LineRing<64, 256>;

template <class Ring>
class LineWriter {
 public:
  explicit LineWriter(Ring& ring) : ring_(ring) {}

  void put(const double* data, std::size_t count) {
    if (next_ - taken_ == Ring::length) await_room();
    auto& line = ring_.lines[next_ % Ring::length];
    for (std::size_t i = 0; i < count; ++i) line.payload[i] = data[i];
    line.number.store(++next_, std::memory_order_release);
  }

 private:
  void await_room() {
    await(ring_.taken.number, next_ - Ring::length + 1, wait_on);
    taken_ = ring_.taken.number.load(std::memory_order_acquire);
  }

  Ring& ring_;
  std::uint64_t next_ = 0, taken_ = 0;
};

template <class Ring>
class LineReader {
 public:
  explicit LineReader(Ring& ring) : ring_(ring) {}

  // The next line's payload, when it is there.
  const double* next() {
    const auto& line = ring_.lines[next_ % Ring::length];
    await(line.number, ++next_, wait_on);
    return line.payload;
  }
  // What next() returned is not needed any longer.
  void release() { ring_.taken.number.store(next_, std::memory_order_release); }

 private:
  Ring& ring_;
  std::uint64_t next_ = 0;
};

}  // namespace bench
