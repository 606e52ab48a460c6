// SPDX-License-Identifier: Apache-2.0
#include "tuning/in_turn.hpp"

#include <algorithm>

namespace espalier::tuning {

InTurn::InTurn(int candidates, const TimingRounds& rounds)
    : candidates_(candidates), rounds_(rounds), seconds_(index_of(candidates)) {
  plan_next();
}

void InTurn::plan_next() {
  plan_.calls.assign(static_cast<std::size_t>(rounds_.warm_ups + rounds_.timings), next_);
  plan_.incumbent = best_;
}

void InTurn::learn(const Timings& timings) {
  const double seconds = statistic(timings.calls.subspan(static_cast<std::size_t>(rounds_.warm_ups)));
  seconds_[index_of(next_)] = seconds;
  if (next_ == 0 || seconds < best_seconds_) {
    best_ = next_;
    best_seconds_ = seconds;
  }
  if (++next_ < candidates_) return plan_next();
  decided(best_, best_seconds_);
}

double InTurn::statistic(std::span<const double> seconds) const {
  const double least = *std::ranges::min_element(seconds);
  if (rounds_.statistic == Statistic::least) return least;
  const double bar = rounds_.statistic == Statistic::mean ? 0 : 3 * least;
  double sum = 0;
  int used = 0;
  for (const double each : seconds) {
    if (bar > 0 && each >= bar) continue;
    sum += each;
    ++used;
  }
  return sum / used;
}

void InTurn::decided(int best, double /*seconds*/) {
  plan_.calls.assign(1, best);
  plan_.incumbent = best;
  plan_.permanently = true;
}

void InTurn::start_again() {
  next_ = 0;
  plan_next();
}

}  // namespace espalier::tuning
