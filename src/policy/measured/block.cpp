// SPDX-License-Identifier: Apache-2.0
#include "policy/measured/block.hpp"

#include <algorithm>
#include <limits>

namespace espalier {

namespace {

constexpr double not_known = std::numeric_limits<double>::infinity();
// Blocks are of different lengths, but what is shared seldom is: so that it is prepared but once.
constexpr std::size_t min_times = 32;

}  // namespace

bool BlockNumbers::is_known(double time) { return time != not_known; }

void BlockNumbers::begin(std::size_t calls) { numbers_.assign(head_size + std::max(calls, min_times), not_known); }

void BlockNumbers::set_state_alone(double state) {
  std::ranges::fill(numbers_, 0);
  set({.state = CommonNumber::of(state)});
}

void BlockNumbers::set(const Head& head) {
  Head copy = head;
  std::ranges::copy(numbers_of(copy), numbers_.begin());
}

BlockNumbers::Head BlockNumbers::head() const {
  Head head;
  std::ranges::copy(std::span(numbers_).first(head_size), numbers_of(head).begin());
  return head;
}

void BlockNumbers::take_means(int ranks) {
  for (double& number : numbers_) number = is_known(number) ? number / ranks : 0;
}

void Block::start(std::uint64_t ordinal, std::size_t rest, std::size_t timed, std::uint64_t calls_of_run) {
  begin = ordinal;
  run = calls_of_run;
  timed_begin = ordinal + rest * run;
  end = timed_begin + timed * run;
  under_way_ = {};
  numbers.begin(timed);
}

void Block::note(std::uint64_t ordinal, double seconds) {
  if (ordinal < timed_begin) return;
  const std::size_t place = place_of(ordinal);
  if (place >= numbers.times().size()) return;
  if (run > 1) return note_in_run(place, (ordinal - timed_begin) % run == 0, seconds);
  numbers.times()[place] = seconds;
}

// A run of which some calls were not timed is not known.
void Block::note_in_run(std::size_t place, bool is_first, double seconds) {
  if (under_way_.place != place) under_way_ = {.place = place};
  if (is_first) {
    under_way_.first_seconds = seconds;
    return;
  }
  under_way_.later_seconds += seconds;
  if (++under_way_.later_calls < run - 1) return;
  const double mean = under_way_.later_seconds / static_cast<double>(run - 1);
  numbers.times()[place] = mean;
  first_calls_ += std::max(0.0, under_way_.first_seconds - mean);
}

void Block::add_to_times(std::uint64_t first, std::uint64_t last, double seconds) {
  const std::span<double> times = numbers.times();
  for (std::size_t place = 0; place < times.size(); ++place) {
    const std::uint64_t call = timed_begin + place;
    if (BlockNumbers::is_known(times[place]) && call >= first && call < last) times[place] += seconds;
  }
}

}  // namespace espalier
