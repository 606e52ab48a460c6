// SPDX-License-Identifier: Apache-2.0
#include "tuning/evidence/history.hpp"

#include <algorithm>
#include <cmath>

#include "tuning/evidence/same_bits.hpp"

namespace espalier::tuning {

namespace {

constexpr double warm_log = .7;  // a first call that takes twice as long
constexpr double max_warm_log = 3;
constexpr std::size_t min_timings_of_pattern = 16, max_period = 8, rounds_of_fit = 3;
constexpr double pattern_bar = 20;  // twice the log of how much likelier it makes the timings, less its price

double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Of each group, the median of what the timings are beyond the other groups' part of them.
template <class GroupOf, class RestOf>
void fit_groups(std::vector<double>& parts, std::size_t timings, GroupOf group_of, RestOf rest_of) {
  std::vector<double> rests;
  for (std::size_t group = 0; group < parts.size(); ++group) {
    rests.clear();
    for (std::size_t i = 0; i < timings; ++i) {
      if (group_of(i) == group) rests.push_back(rest_of(i));
    }
    parts[group] = median(rests);
  }
}

}  // namespace

History::History(int candidates) : candidates_(candidates) { timings_.reserve(max_timings); }

void History::note(Timing timing) {
  if (!is_full()) timings_.push_back(timing);
}

double History::first_call_excess() const {
  double sum = 0;
  int warm = 0, timed = 0;
  for (int a = 0; a < candidates_; ++a) {
    double first = 0, least = 0;
    int calls = 0;
    for (const Timing& timing : timings_) {
      if (timing.candidate != a || calls == 4) continue;
      if (calls == 0) first = timing.log_seconds;
      if (calls == 1 || timing.log_seconds < least) least = timing.log_seconds;
      ++calls;
    }
    if (calls < 2) continue;
    ++timed;
    if (first - least <= warm_log) continue;
    ++warm;
    sum += exp_of(std::min(max_warm_log, first - least)) - 1;
  }
  return 2 * warm > timed ? sum / warm : 0;
}

// Candidates and phases in turn: medians, so that spikes count little.
History::Fit History::fit(std::size_t period) const {
  std::vector<double> own(static_cast<std::size_t>(candidates_)), phases(period);
  const auto candidate_of = [&](std::size_t i) { return static_cast<std::size_t>(timings_[i].candidate); };
  const auto phase_of = [&](std::size_t i) { return i % period; };
  for (std::size_t round = 0; round < rounds_of_fit; ++round) {
    fit_groups(own, timings_.size(), candidate_of,
               [&](std::size_t i) { return timings_[i].log_seconds - phases[phase_of(i)]; });
    fit_groups(phases, timings_.size(), phase_of,
               [&](std::size_t i) { return timings_[i].log_seconds - own[candidate_of(i)]; });
  }
  double sum = 0;
  for (std::size_t i = 0; i < timings_.size(); ++i) {
    sum += std::abs(timings_[i].log_seconds - own[candidate_of(i)] - phases[phase_of(i)]);
  }
  return {.scatter = sum / static_cast<double>(timings_.size()), .pattern = std::move(phases)};
}

// By the Bayesian information criterion, for errors of a Laplace distribution.
std::vector<double> History::pattern() const {
  if (timings_.size() < min_timings_of_pattern) return {};
  const auto timings = static_cast<double>(timings_.size());
  const double without = fit(1).scatter;
  Fit best;
  double best_gain = pattern_bar;
  for (std::size_t period = 2; period <= max_period && 4 * period <= timings_.size(); ++period) {
    Fit found = fit(period);
    const double price = static_cast<double>(period - 1) * log_of(timings);
    const double gain = 2 * timings * log_of(without / std::max(found.scatter, 1e-9)) - price;
    if (gain <= best_gain) continue;
    best_gain = gain;
    best = std::move(found);
  }
  if (best.pattern.empty()) return {};
  const double least = *std::ranges::min_element(best.pattern);
  for (double& part : best.pattern) part -= least;
  return best.pattern;
}

}  // namespace espalier::tuning
