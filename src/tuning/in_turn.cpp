// SPDX-License-Identifier: Apache-2.0
#include "tuning/in_turn.hpp"

#include <algorithm>
#include <numeric>

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

double InTurn::second_best_seconds() const {
  double second = 0;
  for (int a = 0; a < candidates_; ++a) {
    if (a != best_ && (second == 0 || seconds_[index_of(a)] < second)) second = seconds_[index_of(a)];
  }
  return second > 0 ? second : best_seconds_;
}

// Of an odd number, the one in the middle counts.
double InTurn::mean_of_better_half(std::span<const double> seconds) {
  ordered_.assign(seconds.begin(), seconds.end());
  std::ranges::sort(ordered_);
  const auto half = (ordered_.size() + 1) / 2;
  return std::accumulate(ordered_.begin(), ordered_.begin() + static_cast<std::ptrdiff_t>(half), 0.0) /
         static_cast<double>(half);
}

double InTurn::statistic(std::span<const double> seconds) {
  if (rounds_.statistic == Statistic::mean_of_better_half) return mean_of_better_half(seconds);
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
