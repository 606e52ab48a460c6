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

void Block::note(std::uint64_t ordinal, double seconds) {
  if (ordinal < timed_begin) return;
  const std::uint64_t place = ordinal - timed_begin;
  if (place < numbers.times().size()) numbers.times()[place] = seconds;
}

void Block::add_to_times(std::uint64_t first, std::uint64_t last, double seconds) {
  const std::span<double> times = numbers.times();
  for (std::size_t place = 0; place < times.size(); ++place) {
    const std::uint64_t call = timed_begin + place;
    if (BlockNumbers::is_known(times[place]) && call >= first && call < last) times[place] += seconds;
  }
}

}  // namespace espalier
