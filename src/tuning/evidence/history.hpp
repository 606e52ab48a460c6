// SPDX-License-Identifier: Apache-2.0
// The first timings of a context, and what can be read off them: whether first calls cost more than later ones, and
// whether the times repeat in a pattern.
#pragma once

#include <span>
#include <vector>

#include "tuning/evidence/timing.hpp"

namespace espalier::tuning {

class History {
 public:
  explicit History(int candidates);

  // Beyond max_timings nothing is kept.
  void note(Timing timing);
  [[nodiscard]] std::span<const Timing> timings() const { return timings_; }
  [[nodiscard]] bool is_full() const { return timings_.size() == max_timings; }

  // What a candidate's first call costs more than the best of the next three, in calls; 0: no more than chance
  // explains.
  [[nodiscard]] double first_call_excess() const;

  // Logs that are added in turn to the timings' logs, the least of them 0; empty: there is no pattern.
  [[nodiscard]] std::vector<double> pattern() const;

 private:
  static constexpr std::size_t max_timings = 512;

  struct Fit {
    double scatter = 0;  // mean distance from what it explains
    std::vector<double> pattern;
  };
  [[nodiscard]] Fit fit(std::size_t period) const;

  int candidates_;
  std::vector<Timing> timings_;
};

}  // namespace espalier::tuning
