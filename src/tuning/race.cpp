// SPDX-License-Identifier: Apache-2.0
#include "tuning/race.hpp"

#include <algorithm>

#include "tuning/evidence/same_bits.hpp"

namespace espalier::tuning {

namespace {

constexpr std::size_t first_block = 2, min_block = 4;
constexpr int calls_of_recheck = 3;
constexpr double pattern_doubt = .12;  // share of spikes from which on a pattern is looked for
constexpr double max_log = 3;

}  // namespace

Race::Race(std::span<const Estimate> estimates, int start, const Assumptions& assumptions)
    : assumptions_(assumptions),
      estimates_(estimates.begin(), estimates.end()),
      start_(start),
      learner_(estimates, start, assumptions),
      budget_(assumptions),
      planner_(assumptions, learner_),
      detector_(assumptions),
      history_(learner_.candidates()),
      last_(start),
      runs_(estimates.size()),
      excess_sum_(assumptions.first_call_excess) {
  make_plan(first_block);
}

// 4, 4, ..., 8, ... at most 32 apart: a pure function of the calls so far.
std::size_t Race::block_length() const {
  const auto max_block = static_cast<std::size_t>(assumptions_.max_block);
  std::size_t length = min_block;
  while (2 * length <= max_block && 2 * static_cast<double>(length) <= calls_ / 2 && calls_ >= 16) length *= 2;
  return length;
}

double Race::seconds_of_native() const { return exp_of(learner_.belief.log_time(0)); }

double Race::without_pattern(double log_seconds, std::size_t call) const {
  return pattern_.empty() ? log_seconds : log_seconds - pattern_[call % pattern_.size()];
}

// Calls of the plan that come one after the other with this one, and are of the same candidate.
double Race::run_length(std::size_t call) const {
  std::size_t begin = call, end = call;
  while (begin > 0 && plan_.calls[begin - 1] == plan_.calls[call]) --begin;
  while (end < plan_.calls.size() && plan_.calls[end] == plan_.calls[call]) ++end;
  return static_cast<double>(end - begin + (begin == 0 ? plan_.rest : 0));
}

Timing Race::timing_of(std::size_t call, double seconds) const {
  const int a = plan_.calls[call], before = call == 0 ? last_ : plan_.calls[call - 1];
  return {.candidate = a,
          .log_seconds = log_of(seconds),
          .after_another = a != before,
          .part = assumptions_.run_calls > 1 ? 1 / run_length(call) : 0};
}

void Race::gather(const Timings& timings) {
  timed_.clear();
  for (std::size_t i = 0; i < plan_.calls.size(); ++i) {
    if (timings.calls[i] > 0) timed_.push_back(timing_of(i, timings.calls[i]));
  }
}

void Race::learn(const Timings& timings) {
  gather(timings);
  if (!find_level()) return;
  recheck_ = 0;
  const double before = calls_;
  for (std::size_t i = 0; i < timed_.size(); ++i) {
    Timing& timing = timed_[i];
    history_.note(timing);
    timing.log_seconds = without_pattern(timing.log_seconds, static_cast<std::size_t>(before) + i);
    learn_call(timing);
  }
  learner_.note_tails(timed_);
  note_untimed(timings.calls);
  last_ = plan_.rest > 0 ? plan_.incumbent : plan_.calls.back();
  calls_ = before + static_cast<double>(plan_.calls.size() + plan_.rest);
  since_control_ += static_cast<double>(plan_.calls.size() - timed_.size() + plan_.rest);
  note_agreement(timings.overhead);
  budget_.book(timings.once / seconds_of_native());
  look_for_structure();
  make_plan(block_length());
}

// What they saved, or lost, counts like that of the others.
void Race::note_untimed(std::span<const double> seconds) {
  for (std::size_t i = 0; i < plan_.calls.size(); ++i) {
    if (seconds[i] <= 0) learner_.note_untimed(plan_.calls[i], 1);
  }
  learner_.note_untimed(plan_.incumbent, static_cast<double>(plan_.rest));
}

Opinion Race::opinion(int candidate) const {
  if (learner_.timings(candidate) == 0) return {};
  const Belief& belief = learner_.belief;
  const Doubt& doubt = learner_.doubt(candidate);
  const double otherwise = doubt.own_mean - belief.own(candidate);
  const double variance = belief.variance(candidate) + doubt.probability * otherwise * otherwise;
  return {.seconds = exp_of(belief.log_time(candidate)), .sd = root_of(variance)};
}

// Without any timing there is nothing to begin with: the plan stays.
bool Race::find_level() {
  if (!has_level_ && !timed_.empty()) {
    learner_.set_level(timed_);
    has_level_ = true;
  }
  return has_level_;
}

// One that took very long says little of the next; and the first one does for the first time what later ones repeat.
void Race::note_agreement(double seconds) {
  constexpr double gain = .25, spike = 3, first = 3;
  agreements_ += seconds;
  if (agreement_ > 0) {
    agreement_ += gain * (std::min(seconds, spike * agreement_) - agreement_);
  } else {
    agreement_ = seconds / first;
  }
}

// While there is nothing to try, and agreeing takes long compared with a call, it is done so rarely that it takes up a
// part of the budget only; but as soon as the budget has grown enough for what is worth a try.
std::size_t Race::rest() const {
  constexpr double part_of_budget = .3;
  constexpr double max_rest = 1e6;
  if (std::ranges::any_of(plan_.calls, [&](int a) { return a != plan_.incumbent; })) return 0;
  const double native = seconds_of_native();
  double next =
      (agreements_ + agreement_) / native / (part_of_budget * assumptions_.budget) - assumptions_.calls_before;
  if (const double lacking = planner_.lacking(); lacking > 0) {
    next = std::min(next, budget_.calls_until(calls_, lacking + agreement_ / native));  // which this block ends with
  }
  if (next <= assumptions_.credit_calls) return 0;
  return static_cast<std::size_t>(std::clamp(next - calls_ - static_cast<double>(plan_.calls.size()), 0.0, max_rest));
}

void Race::make_plan(std::size_t calls) {
  budget_.value_agreements(agreements_ / seconds_of_native());
  planner_.make({.calls = calls_,
                 .runs = runs_,
                 .estimates = estimates_,
                 .first_call_excess = excess_sum_ / excess_weight_,
                 .first_calls_cost = first_calls_cost_,
                 .since_control = since_control_,
                 .recheck = recheck_,
                 .agreement = agreement_ / seconds_of_native()},
                learner_, budget_, calls, plan_);
  plan_.rest = rest();
}

void Race::learn_call(Timing timing) {
  const int a = timing.candidate;
  const bool is_first = runs_[index_of(a)]++ == 0;
  since_control_ = a == 0 ? 0 : since_control_ + 1;
  if (!is_first || !first_calls_cost_) learner_.learn(timing, plan_.incumbent);
  if (is_first && a > 0) book_first_call(timing);
  notice_change(timing);
}

// What a first call costs beyond a later one.
void Race::book_first_call(Timing timing) {
  const double beyond = timing.log_seconds - learner_.belief.log_time(timing.candidate, timing.part);
  const double excess = std::max(0.0, exp_of(std::min(max_log, beyond)) - 1);
  excess_sum_ += excess;
  excess_weight_ += 1;
  budget_.book(excess * exp_of(std::min(max_log, learner_.belief.log_ratio(timing.candidate, 0))));
}

void Race::notice_change(Timing timing) {
  const int incumbent = plan_.incumbent;
  if (detector_.watched() != incumbent) detector_.watch(incumbent);
  if (timing.candidate != incumbent || timing.after_another || learner_.timings(incumbent) < 2) return;
  if (learner_.noise.is_wide() && !detector_.is_suspicious()) return;
  const double shift = detector_.note(timing.log_seconds, learner_.belief.log_time(incumbent, timing.part),
                                      root_of(learner_.noise_variance(incumbent, false, timing.part)));
  if (shift != 0) take_change(shift, incumbent);
}

// What was lost before is booked for good; what is believed of the past counts as one timing of each.
void Race::take_change(double shift, int incumbent) {
  budget_.book(learner_.lost_calls(0));
  learner_.doubt_all(shift, incumbent);
  budget_.book(-learner_.lost_calls(0));
  recheck_ = calls_of_recheck;
}

// Found late, it changes what the past meant: that is learnt again.
void Race::look_for_structure() {
  if (history_.is_full()) return;
  bool found = false;
  if (!first_calls_cost_) {
    if (const double excess = history_.first_call_excess(); excess > 0) {
      first_calls_cost_ = found = true;
      excess_sum_ = 2 * excess;
      excess_weight_ = 2;
    }
  }
  if (pattern_.empty() && learner_.noise.spike_share() > pattern_doubt) {
    pattern_ = history_.pattern();
    found = found || !pattern_.empty();
  }
  if (found) replay();
}

void Race::replay() {
  const Learner before = std::move(learner_);
  learner_ = Learner(estimates_, start_, assumptions_);
  learner_.take_sums(before);
  std::vector<char> has_run(runs_.size());
  std::vector<Timing> usable;
  for (std::size_t i = 0; i < history_.timings().size(); ++i) {
    Timing timing = history_.timings()[i];
    timing.log_seconds = without_pattern(timing.log_seconds, i);
    const bool is_first = has_run[index_of(timing.candidate)]++ == 0;
    if (!is_first || !first_calls_cost_) usable.push_back(timing);
  }
  if (usable.empty()) return;
  learner_.set_level(std::span(usable).first(std::min<std::size_t>(4, usable.size())));
  for (const Timing& timing : usable) learner_.learn(timing, 0);
  detector_.forget_suspicion();
}

}  // namespace espalier::tuning
