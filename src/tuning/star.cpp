// SPDX-License-Identifier: Apache-2.0
#include "tuning/star.hpp"

#include <algorithm>

namespace espalier::tuning {

Star::Star(int candidates, const TimingRounds& rounds, const Monitoring& monitoring)
    : InTurn(candidates, rounds), monitoring_(monitoring) {}

void Star::decided(int best, double seconds) {
  plan_.incumbent = best;
  compared_seconds_ = monitoring_.compared_with == ComparedWith::winner ? seconds : second_best_seconds();
  period_ = monitoring_.first_period;
  times_worse_ = 0;
  monitor();
}

void Star::monitor() { plan_.calls.assign(static_cast<std::size_t>(period_), plan_.incumbent); }

void Star::learn(const Timings& timings) {
  if (is_learning()) return InTurn::learn(timings);
  const bool is_worse = statistic(timings.calls) > monitoring_.bar * compared_seconds_;
  times_worse_ = is_worse ? times_worse_ + 1 : 0;
  if (times_worse_ == 2) return start_again();
  if (!is_worse) period_ = std::min(2 * period_, monitoring_.max_period);
  monitor();
}

}  // namespace espalier::tuning
