// SPDX-License-Identifier: Apache-2.0
#include "select/by_time.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/hash.hpp"
#include "tuning/race.hpp"
#include "tuning/same_bits.hpp"
#include "tuning/star.hpp"

namespace espalier {

namespace {

// Until the ranks agree on how long a call takes. That takes about as long as a short call.
constexpr std::uint64_t calls_before = 8, calls_before_of_short = 128, calls_timed_before = 4;
constexpr std::size_t short_bytes = 4096;
constexpr double max_calls_before = 1e9;
constexpr double search_seconds_per_rank = 1e-4;
constexpr double not_known = std::numeric_limits<double>::infinity();

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::unique_ptr<tuning::Tuner> make_tuner(const TuningSettings& settings,
                                          const std::vector<Alternative>& alternatives) {
  const auto count = static_cast<int>(alternatives.size());
  switch (settings.policy) {
    case TuningPolicy::star: return std::make_unique<tuning::Star>(count);
    case TuningPolicy::adcl: return std::make_unique<tuning::InTurn>(count, tuning::rounds_of_adcl);
    case TuningPolicy::intel: return std::make_unique<tuning::InTurn>(count, tuning::rounds_of_intel);
    case TuningPolicy::race:
    case TuningPolicy::estimate: break;
  }
  std::vector<double> log_estimates;
  for (const Alternative& alternative : alternatives) log_estimates.push_back(alternative.log_estimate);
  tuning::Assumptions assumptions;
  assumptions.budget = settings.budget;
  return std::make_unique<tuning::Race>(log_estimates, false, assumptions);
}

}  // namespace

ByTime::ByTime(const Problem& problem, const Shape& shape, const Choice& usual, const TuningSettings& settings)
    : problem_(problem), shape_(shape), usual_(usual), settings_(settings) {
  const bool is_short = problem.bytes() * static_cast<std::size_t>(shape.size) < short_bytes;
  begin_block((is_short ? calls_before_of_short : calls_before) - calls_timed_before, calls_timed_before, 0);
}

void ByTime::begin_block(std::uint64_t ordinal, std::size_t timed, std::size_t rest) {
  block_begin_ = ordinal;
  block_end_ = ordinal + timed + rest;
  numbers_.assign(first_call + timed, not_known);
}

void ByTime::find_alternatives(std::uint64_t ordinal) {
  alternatives_ = alternatives_for(problem_, shape_, usual_, settings_.reproducible);
  if (alternatives_.size() == 1) return;
  tuner_ = make_tuner(settings_, alternatives_);
  waits_for_sums_ = true;
  begin_block(ordinal, tuner_->plan().calls.size(), tuner_->plan().rest);
}

Choice ByTime::choice_of(int alternative) const {
  Choice choice = alternatives_[static_cast<std::size_t>(alternative)].choice;
  choice.reason = alternative == tuner_->plan().incumbent ? "by time: the fastest so far" : "by time: tried";
  return choice;
}

Ruling ByTime::look(std::uint64_t ordinal) {
  if (given_up_ != nullptr) return {.choice = {.reason = given_up_}};
  if (alternatives_.empty() && search_at_ > 0 && ordinal >= search_at_) find_alternatives(ordinal);
  if (alternatives_.empty()) return ruling_before(ordinal);
  if (tuner_ == nullptr) return {.choice = usual_};
  const tuning::Plan& plan = tuner_->plan();
  if (plan.for_ever) return {.choice = choice_of(plan.incumbent)};
  if (is_over(ordinal)) return {.choice = choice_of(plan.incumbent), .calls = 1};  // the ranks could not agree yet
  return ruling_by(plan, static_cast<std::size_t>(ordinal - block_begin_));
}

Ruling ByTime::ruling_before(std::uint64_t ordinal) const {
  if (search_at_ > 0) return {.choice = usual_, .calls = search_at_ - ordinal};
  if (ordinal < block_begin_) return {.choice = usual_, .calls = block_begin_ - ordinal};
  return {.choice = usual_, .calls = ordinal < block_end_ ? block_end_ - ordinal : 1, .wants_seconds = true};
}

// As long as the plan says the same.
Ruling ByTime::ruling_by(const tuning::Plan& plan, std::size_t place) const {
  if (place >= plan.calls.size()) {
    return {.choice = choice_of(plan.incumbent), .calls = plan.calls.size() + plan.rest - place};
  }
  std::size_t end = place + 1;
  while (end < plan.calls.size() && plan.calls[end] == plan.calls[place]) ++end;
  return {.choice = choice_of(plan.calls[place]), .calls = end - place, .wants_seconds = true};
}

std::span<double> ByTime::numbers_to_share(std::uint64_t ordinal) {
  if (!is_over(ordinal)) return {};
  numbers_[0] = state();
  numbers_[1] = numbers_[0] * numbers_[0];
  numbers_[beside] = beside_seconds_;
  block_end_ = ordinal;
  shared_at_ = now();
  return numbers_;
}

// Few bits, so that sums of squares are exact.
double ByTime::state() const {
  std::uint64_t hash = hash_of_number(static_cast<std::uint64_t>(problem_.collective), hash_of_nothing);
  hash = hash_of_number(block_end_ - block_begin_, hash);
  if (tuner_ != nullptr) {
    for (const int candidate : tuner_->plan().calls) hash = hash_of_number(static_cast<std::uint64_t>(candidate), hash);
  }
  return static_cast<double>(mix(hash) & 0xffff);
}

// By the inequality of Cauchy and Schwarz.
bool ByTime::all_had_one_state() const { return numbers_[0] * numbers_[0] == shape_.size * numbers_[1]; }

// Whoever comes first to share waits for the others, as it would in the call itself: that is no cost.
void ByTime::take_sums() {
  const double begun_at = now();
  sharing_seconds_ = std::min(sharing_seconds_, begun_at - shared_at_);
  if (!all_had_one_state()) return give_up();
  for (double& number : numbers_) number = number == not_known ? 0 : number / shape_.size;
  tuner_ == nullptr ? take_time_of_usual() : take_block();
  beside_seconds_ = sharing_seconds_ + now() - begun_at;
}

// The search shall take no more than the budget's share of the time so far.
void ByTime::take_time_of_usual() {
  const auto timed = std::span(numbers_).subspan(first_call);
  double seconds = 0;
  for (const double each : timed) {
    if (each > 0 && (seconds == 0 || each < seconds)) seconds = each;
  }
  if (seconds == 0) return begin_block(block_end_, calls_timed_before, 0);
  waits_for_sums_ = false;
  const double search_seconds = search_seconds_per_rank * std::min<Rank>(shape_.size, 8);
  const double calls = std::min(max_calls_before, search_seconds / (settings_.budget * seconds));
  search_at_ = std::max(block_end_, static_cast<std::uint64_t>(calls));
}

void ByTime::take_block() {
  tuner_->learn({.calls = std::span(numbers_).subspan(first_call), .beside = numbers_[beside]});
  const tuning::Plan& plan = tuner_->plan();
  waits_for_sums_ = !plan.for_ever;
  begin_block(block_end_, plan.calls.size(), plan.rest);
}

// All ranks come to know of it at once.
void ByTime::give_up() {
  given_up_ = "ranks did not decide alike: native for good";
  waits_for_sums_ = false;
  tuner_ = nullptr;
}

// Longer messages take longer: of short ones that does not show.
double ByTime::of_usual_size(double seconds, std::size_t bytes) const {
  const auto with_start = [](std::size_t size) { return static_cast<double>(short_bytes + size); };
  return seconds * with_start(problem_.bytes()) / with_start(bytes);
}

void ByTime::observe(std::uint64_t ordinal, std::size_t bytes, double seconds) {
  if (ordinal < block_begin_) return;
  const std::uint64_t place = first_call + (ordinal - block_begin_);
  if (place < numbers_.size()) numbers_[place] = std::max(1e-9, of_usual_size(seconds, bytes));
}

}  // namespace espalier
