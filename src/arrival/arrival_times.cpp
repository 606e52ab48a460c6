// SPDX-License-Identifier: Apache-2.0
#include "arrival/arrival_times.hpp"

#include <algorithm>
#include <cmath>

#include "arrival/median_of_three.hpp"

namespace espalier::arrival {

namespace {

constexpr double mean_gain = .25;          // of a new value
constexpr double deviation_gain = .125;    // likewise
constexpr double max_mean_deviations = 4;  // deviations; beyond them it is a step
constexpr double least_deviation = .1;     // of the grain, as far as a single value may raise the deviation

}  // namespace

ArrivalTimes::ArrivalTimes(Rank size, Rank root, double grain)
    : root_(root), grain_(grain), mean_arrivals_(static_cast<std::size_t>(size)), deviation_(mean_arrivals_) {
  last_.fill(mean_arrivals_);
}

void ArrivalTimes::note(std::span<const double> arrivals) {
  std::rotate(last_.begin(), last_.begin() + 1, last_.end());  // Clang 14 does not compile that of ranges
  const double begin = arrivals[static_cast<std::size_t>(root_)];
  std::ranges::transform(arrivals, last_[2].begin(), [&](double arrival) { return arrival - begin; });
  if (++count_ == 1) mean_arrivals_ = last_[2];
  if (count_ < 3) return;
  for (std::size_t rank = 0; rank < mean_arrivals_.size(); ++rank) follow(rank);
}

bool ArrivalTimes::is_step(std::size_t rank, double arrival) const {
  return std::abs(arrival - mean_arrivals_[rank]) > std::max(grain_, max_mean_deviations * deviation_[rank]);
}

bool ArrivalTimes::is_surprised() const {
  for (std::size_t rank = 0; rank < mean_arrivals_.size(); ++rank) {
    if (is_step(rank, last_[2][rank])) return true;
  }
  return false;
}

// The median of three, so that one late arrival is nothing.
void ArrivalTimes::follow(std::size_t rank) {
  double& mean_arrivals = mean_arrivals_[rank];
  double& deviation = deviation_[rank];
  const double now = median_of_three(last_[0][rank], last_[1][rank], last_[2][rank]);
  mean_arrivals = is_step(rank, now) ? now : mean_arrivals + mean_gain * (now - mean_arrivals);
  const double off =
      std::min(std::abs(last_[2][rank] - mean_arrivals), max_mean_deviations * deviation + least_deviation * grain_);
  deviation += deviation_gain * (off - deviation);
}

}  // namespace espalier::arrival
