// SPDX-License-Identifier: Apache-2.0
// What it costs the ranks to exchange numbers before a call.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

namespace espalier {

class ExchangeOverhead {
 public:
  // `ranks_depend_on_all`: in the calls themselves.
  explicit ExchangeOverhead(bool ranks_depend_on_all) : ranks_depend_on_all_(ranks_depend_on_all) {}

  void begin(double time) { begun_at_ = time; }
  // The first to arrive at an exchange waits for the others, or for a core, as it would in the call itself: that is no
  // cost, and the least says what is. It is no more than some calls in which all ranks depend on all, too. Returns how
  // long this one took.
  double end(double time) {
    constexpr double max_calls = 4, always_believed = 2e-5;
    const double seconds = time - begun_at_;
    const double known = ranks_depend_on_all_ ? std::max(max_calls * least_call_, always_believed) : not_known;
    least_ = std::min({least_, seconds, known});
    waited_ += seconds - least_;
    return seconds;
  }
  void note_call(double seconds) { least_call_ = std::min(least_call_, seconds); }

  [[nodiscard]] double least() const { return least_; }
  // Beyond that, for others, since it was last asked.
  [[nodiscard]] double take_waited() { return std::exchange(waited_, 0); }

 private:
  static constexpr double not_known = std::numeric_limits<double>::infinity();

  const bool ranks_depend_on_all_;
  double begun_at_ = 0;
  double least_call_ = not_known;  // of those that this rank timed
  double least_ = not_known;
  double waited_ = 0;
};

}  // namespace espalier
