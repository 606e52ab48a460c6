// SPDX-License-Identifier: Apache-2.0
// Blocks that are exchanged in steps, one partner after the other, and how ranks keep together while they do so. Paper
// 5 names these barriers; what they are is defined here.
#pragma once

#include <optional>
#include <vector>

#include "schedule/builder.hpp"

namespace espalier {

enum class Together : std::uint8_t {
  never,
  at_the_start,      // one barrier, before all
  pair_by_pair,      // a light barrier: anyone who is sent to has said that it is through with the step before
  before_each_step,  // a barrier of all ranks
};

// A schedule has an operation or two for each step: some 5 MB of them.
inline constexpr Rank most_ranks_in_steps = 4096;

// To whom a rank sends in a step, and from whom it receives.
struct Partners {
  std::optional<Rank> to, from;
};

// Everybody has received from everybody, over doubling distances.
inline void meet_all(Builder& b) {
  for (std::int64_t distance = 1; distance < b.size(); distance *= 2) {
    b.signal(wrap(b.rank() + distance, b.size()));
    b.await(wrap(b.rank() - distance, b.size()));
  }
}

// A step begins when the one before it is over, and maybe when others are as far.
inline void exchange_in_steps(Builder& b, const std::vector<Partners>& steps, Together together) {
  const Range own{b.rank(), 1};
  b.output(b.input(b.to(own)));
  if (together == Together::at_the_start) meet_all(b);
  bool is_first = true;
  for (const auto& [to, from] : steps) {
    b.next_step();
    if (together == Together::before_each_step && !is_first) meet_all(b);
    if (together == Together::pair_by_pair && !is_first) {
      if (from) b.signal(*from);
      if (to) b.await(*to);
    }
    if (to) b.send(*to, b.input(b.to({*to, 1})));
    if (from) b.output(b.recv(*from, b.from({*from, 1})));
    is_first = false;
  }
}

}  // namespace espalier
