// SPDX-License-Identifier: Apache-2.0
// The calls between two agreements, and the numbers by which the ranks agree on them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/measured/shared_numbers.hpp"

namespace espalier {

// First what must be common, then how long calls took.
class BlockNumbers {
 public:
  struct Head {
    CommonNumber state;   // what the ranks think that they have done
    CommonNumber learnt;  // what other communicators have learnt
    double overhead = 0;  // of the agreement before
  };

  // For this many calls, none of which was timed yet.
  void begin(std::size_t calls);
  // As many as those, all 0, of which no more is wanted than whether the state is common.
  void begin_like(const BlockNumbers& other) { numbers_.resize(other.numbers_.size()); }
  void set_state_alone(double state);

  [[nodiscard]] std::span<double> all() { return numbers_; }
  void set(const Head& head);
  [[nodiscard]] Head head() const;
  // Of as many calls as there is room for, at least.
  [[nodiscard]] std::span<double> times() { return std::span(numbers_).subspan(head_size); }
  // Sums become means; a time that some rank does not know becomes 0.
  void take_means(int ranks);

  [[nodiscard]] static bool is_known(double time);

 private:
  static constexpr std::size_t head_size = sizeof(Head) / sizeof(double);

  std::vector<double> numbers_;
};

struct Block {
  std::uint64_t begin = 0, timed_begin = 0, end = 0;  // calls: of the timed ones, and the first one after them
  BlockNumbers numbers;

  // First the rest, then those that are timed.
  void start(std::uint64_t ordinal, std::size_t rest, std::size_t timed) {
    begin = ordinal;
    timed_begin = ordinal + rest;
    end = timed_begin + timed;
    numbers.begin(timed);
  }
  [[nodiscard]] bool is_over(std::uint64_t ordinal) const { return ordinal >= end; }
  void note(std::uint64_t ordinal, double seconds);
  // To each timed call of those from `first` to before `last`.
  void add_to_times(std::uint64_t first, std::uint64_t last, double seconds);
};

}  // namespace espalier
