// SPDX-License-Identifier: Apache-2.0
#include "tuning/learner.hpp"

#include <algorithm>

#include "tuning/same_bits.hpp"

namespace espalier::tuning {

namespace {

constexpr double first_timing_variance = .0025;  // of what a first timing is beside later ones
constexpr double known_level_variance = 9;       // below it a timing can be called a spike at all
constexpr double too_fast = -4.5;                // standard deviations: noise only ever adds time
constexpr double too_slow = 2.5;
constexpr double spike_rate = 1.2;            // of the exponential distribution of spikes' logs
constexpr double wrong_estimate_share = .05;  // of first timings; such errors have a variance of 1 more

double density_of(double error, double variance) {
  const double deviation = root_of(variance);
  return density(error / deviation) / deviation;
}

}  // namespace

Learner::Learner(std::span<const Estimate> estimates, int start, const Assumptions& assumptions)
    : belief(estimates),
      noise(static_cast<int>(estimates.size()), assumptions.noise_sd, assumptions.first_of_run_sd),
      assumptions_(assumptions),
      start_(start),
      timings_(estimates.size()),
      untimed_(estimates.size()),
      doubts_(estimates.size()) {
  for (const Estimate& each : estimates) estimate_variances_.push_back(each.sd * each.sd);
}

void Learner::set_level(std::span<const int> candidates, std::span<const double> log_seconds) {
  residuals_.clear();
  for (std::size_t i = 0; i < candidates.size(); ++i) residuals_.push_back(log_seconds[i] - belief.own(candidates[i]));
  const auto middle = residuals_.begin() + static_cast<std::ptrdiff_t>((residuals_.size() - 1) / 2);
  std::nth_element(residuals_.begin(), middle, residuals_.end());
  belief.set_level(*middle, assumptions_.estimate_sd * assumptions_.estimate_sd + .01);
}

double Learner::Surprise::deviation() const { return error / root_of(variance); }

double Learner::Surprise::likelihood() const { return density_of(error, variance); }

Learner::Surprise Learner::surprise(int a, double log_seconds, bool after_another) const {
  Surprise found{.error = log_seconds - belief.log_time(a), .noise_variance = noise.variance(a, after_another)};
  if (timings(a) == 0) found.noise_variance += first_timing_variance;
  found.variance = belief.variance(a) + found.noise_variance;
  return found;
}

// Those that have not run yet may be as wrong as this one was.
void Learner::note_estimate_error(const Surprise& seen) {
  const double before = estimate_errors_.factor();
  estimate_errors_.note(seen.error * seen.error / seen.variance);
  const double more = estimate_errors_.factor() - before;
  for (int a = 0; a < candidates(); ++a) {
    if (timings(a) == 0) belief.widen(a, more * estimate_variances_[index_of(a)]);
  }
}

// Was the first timing a spike? The second one decides: what was believed without it may fit better.
void Learner::settle_doubt(int a, double log_seconds, Surprise& seen) {
  Doubt& doubt = doubts_[index_of(a)];
  const double error = log_seconds - belief.level() - doubt.own_mean;
  const double variance = doubt.own_variance + belief.level_variance() + seen.noise_variance;
  if (doubt.probability * density_of(error, variance) > (1 - doubt.probability) * seen.likelihood()) {
    belief.reset(a, doubt.own_mean, doubt.own_variance);
    seen.error = error;
    seen.variance = variance;
  }
  doubt.probability = 0;
}

// Faster than noise explains: the belief was wrong.
void Learner::give_way(int a, Surprise& seen, bool is_incumbent) {
  const double variance = .5 * seen.error * seen.error;
  if (is_incumbent) belief.widen_level(variance);
  belief.widen(a, variance);
  seen.variance = belief.variance(a) + seen.noise_variance;
}

double Learner::spike_probability(int a, const Surprise& seen) const {
  if (seen.error <= 0 || seen.variance >= known_level_variance) return 0;
  const bool is_first = timings(a) == 0;
  const double share = is_first && a > 0 ? assumptions_.first_spike_share : assumptions_.spike_share;
  const double spike = share * spike_rate * exp_of(-spike_rate * seen.error);
  double genuine = seen.likelihood();
  if (is_first) {
    genuine = (1 - wrong_estimate_share) * genuine + wrong_estimate_share * density_of(seen.error, seen.variance + 1);
  }
  return spike / (spike + (1 - share) * genuine);
}

void Learner::learn(int a, double log_seconds, int incumbent, bool after_another) {
  belief.widen_level(assumptions_.level_variance);
  for (int each = 0; each < candidates(); ++each) belief.widen(each, assumptions_.ratio_variance);
  Surprise seen = surprise(a, log_seconds, after_another);
  if (timings(a) == 1 && doubts_[index_of(a)].probability > 0) settle_doubt(a, log_seconds, seen);
  const bool is_too_fast = seen.deviation() < too_fast;
  if (is_too_fast) give_way(a, seen, a == incumbent);
  const double spike = is_too_fast ? 0 : spike_probability(a, seen);
  const bool is_first = timings(a) == 0;
  is_first ? learn_first(a, seen, spike) : learn_later(a, seen, spike, after_another);
  ++timings_[index_of(a)];
  if (is_first && a != start_) note_estimate_error(seen);
}

// Both hypotheses are kept: that it is genuine in the belief, that it is a spike in the doubt.
void Learner::learn_first(int a, Surprise seen, double spike) {
  doubts_[index_of(a)] = {spike, belief.own(a), belief.own_variance(a)};
  if (seen.deviation() > too_slow && seen.variance < known_level_variance) {
    belief.widen(a, seen.error * seen.error);
    seen.variance += seen.error * seen.error;
  }
  belief.learn(a, seen.error, seen.variance);
}

void Learner::learn_later(int a, const Surprise& seen, double spike, bool after_another) {
  doubts_[index_of(a)].probability = 0;
  belief.learn(a, seen.error, seen.variance, 1 - spike);
  noise.note_spike(spike, timings(a));
  const double genuine = 1 - noise.share_of_spikes(spike);
  noise.note(a, seen.error, genuine, genuine * seen.noise_variance / seen.variance, after_another);
}

void Learner::learn_glance(int a, int b, double log_ratio) {
  if (log_ratio <= std::max(.7 + 0.0, belief.log_ratio(a, b))) return;
  belief.learn_ratio(a, b, log_ratio, assumptions_.glance_sd * assumptions_.glance_sd);
}

void Learner::doubt_all(double shift, int incumbent) {
  constexpr double blame_of_incumbent = .3;  // the rest lies on what all have in common
  belief.widen_level(shift * shift);
  belief.widen(incumbent, blame_of_incumbent * shift * shift);
  for (int a = 0; a < candidates(); ++a) {
    untimed_[index_of(a)] = 0;
    if (timings(a) == 0) continue;
    timings_[index_of(a)] = 1;
    doubts_[index_of(a)].probability = 0;
  }
}

int Learner::best() const {
  int best = start_;
  for (int a = 0; a < candidates(); ++a) {
    if (timings(a) > 0 && belief.log_ratio(a, best) < 0) best = a;
  }
  return best;
}

double Learner::lost_calls(double deviations) const {
  double calls = 0;
  for (int a = 1; a < candidates(); ++a) {
    const double its_calls = timings(a) + untimed_[index_of(a)];
    if (its_calls > 0) calls += its_calls * belief.excess(a, 0, deviations);
  }
  return calls;
}

}  // namespace espalier::tuning
