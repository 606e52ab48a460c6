// SPDX-License-Identifier: Apache-2.0
#include "tuning/learner.hpp"

#include <algorithm>

#include "tuning/evidence/same_bits.hpp"

namespace espalier::tuning {

namespace {

constexpr double first_timing_variance = .0025;  // of what a first timing is next to later ones
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
    : belief(estimates, {assumptions.single_call_excess, assumptions.single_call_sd}),
      noise(static_cast<int>(estimates.size()), assumptions.noise_sd),
      assumptions_(assumptions),
      start_(start),
      tails_(estimates.size()),
      timings_(estimates.size()),
      untimed_(estimates.size()),
      doubts_(estimates.size()) {
  for (const Estimate& each : estimates) estimate_variances_.push_back(each.sd * each.sd);
}

void Learner::set_level(std::span<const Timing> timings) {
  residuals_.clear();
  double variance = assumptions_.estimate_sd * assumptions_.estimate_sd;
  for (const Timing& timing : timings) {
    residuals_.push_back(timing.log_seconds - belief.own(timing.candidate) - timing.part * belief.single_call());
    variance = std::max(variance, estimate_variances_[index_of(timing.candidate)]);
  }
  const auto middle = residuals_.begin() + static_cast<std::ptrdiff_t>((residuals_.size() - 1) / 2);
  std::nth_element(residuals_.begin(), middle, residuals_.end());
  belief.set_level(*middle, variance + .01);
}

double Learner::Surprise::deviation() const { return error / root_of(variance); }

double Learner::Surprise::likelihood() const { return density_of(error, variance); }

// The calls of a run share what it took longer.
double Learner::noise_variance(int a, bool after_another, double part) const {
  const double spread = assumptions_.single_call_spread * belief.single_call();
  return noise.variance(a, after_another) + part * spread * spread;
}

Learner::Surprise Learner::surprise(const Timing& timing) const {
  const int a = timing.candidate;
  Surprise found{.error = timing.log_seconds - belief.log_time(a, timing.part),
                 .noise_variance = noise_variance(a, timing.after_another, timing.part)};
  if (timings(a) == 0) found.noise_variance += first_timing_variance;
  found.variance = belief.variance(a, timing.part) + found.noise_variance;
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
void Learner::settle_doubt(const Timing& timing, Surprise& seen) {
  const int a = timing.candidate;
  Doubt& doubt = doubts_[index_of(a)];
  const double error = timing.log_seconds - belief.level() - doubt.own_mean - timing.part * belief.single_call();
  const double variance = doubt.own_variance + belief.level_variance() + seen.noise_variance;
  if (doubt.probability * density_of(error, variance) > (1 - doubt.probability) * seen.likelihood()) {
    belief.reset(a, doubt.own_mean, doubt.own_variance);
    seen.error = error;
    seen.variance = variance;
  }
  doubt.probability = 0;
}

// Faster than noise explains: the belief was wrong.
void Learner::yield_to(const Timing& timing, Surprise& seen, bool is_incumbent) {
  const int a = timing.candidate;
  const double variance = .5 * seen.error * seen.error;
  if (is_incumbent) belief.widen_level(variance);
  belief.widen(a, variance);
  seen.variance = belief.variance(a, timing.part) + seen.noise_variance;
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

void Learner::learn(const Timing& timing, int incumbent) {
  const int a = timing.candidate;
  belief.widen_level(assumptions_.level_variance);
  for (int each = 0; each < candidates(); ++each) belief.widen(each, assumptions_.ratio_variance);
  Surprise seen = surprise(timing);
  if (timings(a) == 1 && doubts_[index_of(a)].probability > 0) settle_doubt(timing, seen);
  const bool is_too_fast = seen.deviation() < too_fast;
  if (is_too_fast) yield_to(timing, seen, a == incumbent);
  const double spike = is_too_fast ? 0 : spike_probability(a, seen);
  const bool is_first = timings(a) == 0;
  is_first ? learn_first(timing, seen, spike) : learn_later(timing, seen, spike);
  ++timings_[index_of(a)];
  if (is_first && a != start_) note_estimate_error(seen);
}

// What a phase of the job adds to all calls is in the median of those that come one after the other.
void Learner::note_tails(std::span<const Timing> timings) {
  for (std::size_t begin = 0, end = 0; begin < timings.size(); begin = end) {
    while (end < timings.size() && timings[end].candidate == timings[begin].candidate) ++end;
    note_tail(timings.subspan(begin, end - begin));
  }
  Tail all;
  for (const Tail& its : tails_) all.add(its.excess, its.calls);
  const double common = all.excess / (assumptions_.calls_of_no_tail + all.calls);
  const double weight = assumptions_.calls_of_common_tail;
  for (int a = 0; a < candidates(); ++a) {
    const Tail& its = tails_[index_of(a)];
    belief.set_tail(a, log_of(1 + (weight * common + its.excess) / (weight + its.calls)));
  }
}

void Learner::note_tail(std::span<const Timing> run) {
  constexpr std::size_t min_run = 4;
  constexpr double max_log = 1.1;  // so that no single spike decides
  if (run.size() < min_run) return;
  residuals_.clear();
  for (const Timing& timing : run) residuals_.push_back(timing.log_seconds);
  const auto middle = residuals_.begin() + static_cast<std::ptrdiff_t>((residuals_.size() - 1) / 2);
  std::nth_element(residuals_.begin(), middle, residuals_.end());
  double excess = 0;
  for (const double log : residuals_) excess += exp_of(std::clamp(log - *middle, -max_log, max_log)) - 1;
  Tail& its = tails_[index_of(run.front().candidate)];
  its.add(excess, static_cast<double>(run.size()));
  its.excess = std::max(0.0, its.excess);
}

// Both hypotheses are kept: that it is genuine in the belief, that it is a spike in the doubt.
void Learner::learn_first(const Timing& timing, Surprise seen, double spike) {
  const int a = timing.candidate;
  doubts_[index_of(a)] = {spike, belief.own(a), belief.own_variance(a)};
  if (seen.deviation() > too_slow && seen.variance < known_level_variance) {
    belief.widen(a, seen.error * seen.error);
    seen.variance += seen.error * seen.error;
  }
  belief.learn(a, seen.error, seen.variance, 1, timing.part);
}

void Learner::learn_later(const Timing& timing, const Surprise& seen, double spike) {
  const int a = timing.candidate;
  doubts_[index_of(a)].probability = 0;
  belief.learn(a, seen.error, seen.variance, 1 - spike, timing.part);
  noise.note_spike(spike, timings(a));
  const double genuine = 1 - noise.share_of_spikes(spike);
  const double its_noise = noise.variance(a, timing.after_another) / seen.variance;
  noise.note(a, seen.error, genuine, genuine * its_noise, timing.after_another);
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

// Next to the native MPI: what gains hardly anything is not worth being wrong about.
double Learner::handicap(int a) const { return a == 0 ? 0 : assumptions_.min_gain; }

int Learner::best() const {
  int best = start_;
  for (int a = 0; a < candidates(); ++a) {
    if (timings(a) > 0 && belief.log_ratio(a, best) + handicap(a) < handicap(best)) best = a;
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
