// SPDX-License-Identifier: Apache-2.0
#include "tuning/planner.hpp"

#include <algorithm>
#include <cstdint>

#include "tuning/evidence/same_bits.hpp"

namespace espalier::tuning {

namespace {

constexpr double max_log_cost = 4;
constexpr double min_variance = 1e-12;
constexpr int max_doublings = 5;   // of the number of timings that are bought at once
constexpr int early_controls = 3;  // timings of the native MPI before it is only looked after
constexpr double far_log = .8;     // so much slower than the best, it needs them less

// The mean of what b's time exceeds a's by, if the log of a's time over b's is so distributed; in b's.
double gain(double log_ratio, double sd) {
  if (sd <= 0) return std::max(0.0, -log_ratio);
  return sd * mean_excess(log_ratio / sd);
}

// Below this many, by a hash: so that nothing that recurs in the program is met by the same candidate each time.
std::size_t random_below(std::size_t bound, double calls_so_far, std::size_t turn) {
  auto mixed =
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(calls_so_far) * 2654435761U + turn * 40503U + 12345U);
  mixed = (mixed ^ (mixed >> 16)) * 2246822519U;
  mixed ^= mixed >> 13;
  return static_cast<std::size_t>((std::uint64_t{mixed} * bound) >> 32);
}

// Those of a candidate one after the other, since a call may leave messages and late ranks to the next one; all others
// together somewhere between the incumbent's.
void put_in_order(std::vector<int>& calls, int incumbent, int candidates, double calls_so_far) {
  const auto turn = random_below(static_cast<std::size_t>(candidates), calls_so_far, 0);
  const auto rank = [&](int a) { return (static_cast<std::size_t>(a) + turn) % static_cast<std::size_t>(candidates); };
  const auto others_end = std::partition(calls.begin(), calls.end(), [&](int a) { return a != incumbent; });
  std::sort(calls.begin(), others_end, [&](int a, int b) { return rank(a) < rank(b); });
  const auto incumbents = static_cast<std::size_t>(calls.end() - others_end);
  const auto before = static_cast<std::ptrdiff_t>(random_below(incumbents + 1, calls_so_far, 1));
  std::rotate(calls.begin(), calls.end() - before, calls.end());
}

}  // namespace

Planner::Planner(const Assumptions& assumptions, const Learner& learner)
    : assumptions_(assumptions),
      expected_(learner.belief),
      timings_(index_of(learner.candidates())),
      has_doubt_(timings_.size()),
      is_planned_(timings_.size()) {}

void Planner::begin(const Standing& standing, const Learner& learner, const Budget& budget, std::size_t calls,
                    Plan& plan) {
  standing_ = &standing;
  learner_ = &learner;
  expected_ = learner.belief;
  for (int a = 0; a < learner.candidates(); ++a) {
    timings_[index_of(a)] = learner.timings(a);
    has_doubt_[index_of(a)] = learner.doubt(a).probability > 0;
    is_planned_[index_of(a)] = 0;
  }
  best_ = plan.incumbent = learner.best();
  horizon_ = std::max(assumptions_.horizon_calls, assumptions_.calls_before + standing.calls);
  room_ = budget.room(standing.calls + static_cast<double>(calls)) - standing.agreement;
  used_ = learner.lost_calls(assumptions_.caution);
  since_control_ = standing.since_control;
  plan.calls.clear();
}

void Planner::make(const Standing& standing, const Learner& learner, const Budget& budget, std::size_t calls,
                   Plan& plan) {
  begin(standing, learner, budget, calls, plan);
  standing.calls == 0 ? plan.calls.resize(calls, best_) : add_wishes(calls, plan);
  lacking_ = least_lacking();
  plan.calls.resize(calls, best_);
  put_in_order(plan.calls, best_, expected_.candidates(), standing.calls);
}

void Planner::add_wishes(std::size_t calls, Plan& plan) {
  while (plan.calls.size() < calls) {
    const int candidate = candidate_of(plan.calls.size());
    if (candidate < 0) return;
    add_run(candidate, calls, plan);
  }
}

void Planner::add_run(int candidate, std::size_t calls, Plan& plan) {
  const std::size_t end = std::min(calls, plan.calls.size() + static_cast<std::size_t>(run_of(candidate)));
  while (plan.calls.size() < end) {
    expect(candidate, plan.calls.size());
    plan.calls.push_back(candidate);
  }
}

// -1: nothing is worth more than running the incumbent.
int Planner::candidate_of(std::size_t call) const {
  if (call < index_of(standing_->recheck)) {
    if (const int other = rechecked(); other >= 0) return other;
  }
  const Wish wish = best_wish(call);
  if (wish.candidate >= 0) return wish.candidate;
  return wish.incumbent_teaches_more ? best_ : -1;
}

// The best of the others.
int Planner::rechecked() const {
  int found = -1;
  for (int a = 0; a < expected_.candidates(); ++a) {
    if (a == best_ || learner_->timings(a) == 0) continue;
    if (found < 0 || expected_.log_ratio(a, found) < 0) found = a;
  }
  return found;
}

Planner::Wish Planner::best_wish(std::size_t call) const {
  Wish best;
  for (int a = 0; a < expected_.candidates(); ++a) {
    if (a == best_ || !is_open(a)) continue;
    if (a == 0 && wants_control(call)) return {.candidate = 0};
    if (a > 0 && !is_affordable(a)) continue;
    const double its_worth = worth(a);
    if (its_worth <= best.worth) continue;
    // Running the incumbent costs nothing.
    if (reduction(best_, a) > reduction(a, a)) {
      best.incumbent_teaches_more = true;
      continue;
    }
    best.candidate = a;
    best.worth = its_worth;
  }
  return best;
}

void Planner::expect(int candidate, std::size_t call) {
  if (candidate == 0) since_control_ = -static_cast<double>(call);
  if (candidate > 0 && candidate != best_) {
    used_ += std::max(0.0, expected_.excess(candidate, 0, assumptions_.caution)) + first_call_price(candidate);
  }
  ++timings_[index_of(candidate)];
  has_doubt_[index_of(candidate)] = 0;
  expected_.expect(candidate, noise_variance(candidate), part());
  is_planned_[index_of(candidate)] = 1;
}

// What was never timed runs once before the ranks agree on what that took; twice if its first call tells nothing.
bool Planner::is_open(int a) const {
  if (learner_->timings(a) > 0) return true;
  return timings_[index_of(a)] <= (standing_->first_calls_cost ? 1 : 0);
}

bool Planner::is_affordable(int a) const { return used_ + dearest(a) <= room_ + soon_repaid(a); }

// By a candidate that saves something even if it is somewhat slower than believed: where a look at another one was
// dearer than the budget, it need not wait until that has grown again.
double Planner::soon_repaid(int a) const {
  return assumptions_.payback_calls * std::max(0.0, -expected_.excess(a, 0, assumptions_.caution / 2));
}

// What its next calls may cost, as far as is likely.
double Planner::dearest(int a) const {
  return run_of(a) * expected_.excess(a, 0, assumptions_.caution) + first_call_price(a);
}

double Planner::least_lacking() const {
  double least = 0;
  for (int a = 1; a < expected_.candidates(); ++a) {
    if (a == best_ || !is_open(a) || is_affordable(a) || worth(a) <= 0) continue;
    const double its = used_ + dearest(a) - room_;
    if (least == 0 || its < least) least = its;
  }
  return least;
}

double Planner::first_call_price(int a) const {
  if (standing_->runs[index_of(a)] > 0 || timings_[index_of(a)] > 0) return 0;
  return standing_->first_call_excess * exp_of(std::min(max_log_cost, expected_.log_ratio(a, 0))) + set_up_price(a);
}

// Of what others need, too: none of them has run yet.
double Planner::set_up_price(int a) const {
  const std::span<const Estimate> estimates = standing_->estimates;
  const auto has_run = [&](std::size_t i) { return standing_->runs[i] > 0 || timings_[i] > 0; };
  if (estimates[index_of(a)].set_up_seconds == 0) return 0;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    if (estimates[i].set_up_seconds > 0 && has_run(i)) return 0;
  }
  return estimates[index_of(a)].set_up_seconds / exp_of(expected_.log_time(0));
}

double Planner::price_of_control() const { return run_of(0) * std::max(0.0, expected_.excess(0, best_, 0)); }

double Planner::control_gap() const {
  const double share = learner_->timings(0) > 0 ? assumptions_.control_share : assumptions_.budget;
  return std::clamp(price_of_control() / share, assumptions_.min_control_gap, assumptions_.max_control_gap);
}

// What it took when it ran last may have been its warm-up, however long that is.
bool Planner::is_control_out_of_date(double calls, double since) const {
  return learner_->timings(0) > 0 && calls >= assumptions_.min_calls_of_age && since > assumptions_.min_age * calls &&
         price_of_control() <= assumptions_.share_of_age * calls;
}

// The native MPI is what all is measured by: some timings soon, then one now and then.
bool Planner::wants_control(std::size_t call) const {
  if (standing_->calls == 0) return false;
  const bool is_near =
      expected_.log_ratio(0, best_) < far_log || (learner_->timings(0) < 2 && learner_->doubt(0).probability > .02);
  if (is_near && timings_[0] < early_controls) return true;
  const double since = since_control_ + static_cast<double>(call);
  return since > control_gap() || is_control_out_of_date(standing_->calls + static_cast<double>(call), since);
}

double Planner::reduction(int c, int a) const { return expected_.reduction(c, a, best_, noise_variance(c)); }

// The first of its calls in the block comes after another's.
double Planner::noise_variance(int a) const {
  return learner_->noise_variance(a, a != best_ && is_planned_[index_of(a)] == 0, part());
}

// The knowledge gradient: what is gained over the calls ahead, on average, by knowing a's time better, less what that
// costs; per timing, for the best number of timings. With a probability, what is known of it is only a spike.
double Planner::worth(int a) const {
  const double log_ratio = expected_.log_ratio(a, best_);
  const double variance = std::max(min_variance, expected_.variance_of_ratio(a, best_));
  const Doubt doubt = has_doubt_[index_of(a)] != 0 ? learner_->doubt(a) : Doubt{};
  const double other_ratio = doubt.own_mean - expected_.own(best_);
  const double other_variance = doubt.own_variance + expected_.own_variance(best_);
  const double genuine = 1 - doubt.probability;
  double cost = genuine * (exp_of(std::min(max_log_cost, log_ratio + variance / 2)) - 1);
  if (genuine < 1) cost += doubt.probability * (exp_of(std::min(max_log_cost, other_ratio + other_variance / 2)) - 1);
  cost = std::max(0.0, cost);
  const double extra = first_call_price(a) * exp_of(expected_.log_ratio(0, best_));
  const double reduced = reduction(a, a);
  double best = -1e9;
  double timings = 1;
  for (int doubling = 0; doubling < max_doublings; ++doubling, timings *= 2) {
    const double learnt = variance * reduced * timings / (reduced * timings + variance - reduced);
    double gained = genuine * gain(log_ratio, root_of(learnt));
    if (genuine < 1) {
      gained += doubt.probability * gain(other_ratio, root_of(other_variance * learnt / variance));
    }
    best = std::max(best, (horizon_ * gained - timings * cost - extra) / timings);
  }
  return best;
}

}  // namespace espalier::tuning
