// SPDX-License-Identifier: Apache-2.0
// The calls between two agreements, and the numbers by which the ranks agree on them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
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
    double once = 0;      // and what was done since that one which need not be done again
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

// Each time is that of a call, or, where those are very short, the mean over a run of them. The first call of a run
// does what the others need not do again: it is none of them.
struct Block {
  std::uint64_t begin = 0, timed_begin = 0, end = 0;  // calls: of the timed ones, and the first one after them
  std::uint64_t run = 1;                              // calls that a time stands for
  BlockNumbers numbers;

  // First the rest, then those that are timed: in runs of several calls, if that is said.
  void start(std::uint64_t ordinal, std::size_t rest, std::size_t timed, std::uint64_t calls_of_run = 1);
  [[nodiscard]] bool is_over(std::uint64_t ordinal) const { return ordinal >= end; }
  [[nodiscard]] std::size_t place_of(std::uint64_t ordinal) const {
    return static_cast<std::size_t>((ordinal - timed_begin) / run);
  }
  void note(std::uint64_t ordinal, double seconds);
  // To each timed call of those from `first` to before `last`. There are no runs.
  void add_to_times(std::uint64_t first, std::uint64_t last, double seconds);
  // By how much first calls of runs took longer than the others, on this rank, since it was last asked.
  [[nodiscard]] double take_first_calls() { return std::exchange(first_calls_, 0); }

 private:
  // That is under way.
  struct RunUnderWay {
    std::size_t place = 0;
    std::uint64_t later_calls = 0;
    double first_seconds = 0, later_seconds = 0;
  };
  void note_in_run(std::size_t place, bool is_first, double seconds);

  RunUnderWay under_way_;
  double first_calls_ = 0;
};

}  // namespace espalier
