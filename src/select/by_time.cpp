// SPDX-License-Identifier: Apache-2.0
#include "select/by_time.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "contract/contract.hpp"
#include "core/hash.hpp"
#include "tuning/race.hpp"
#include "tuning/same_bits.hpp"
#include "tuning/star.hpp"

namespace espalier {

namespace {

constexpr std::uint64_t calls_before = 8;
constexpr double not_known = std::numeric_limits<double>::infinity();

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A rank may leave a rooted collective long before the others: there what all of them spent counts. Elsewhere no rank
// leaves before the last one has come, whose own time is the least.
tuning::Combine combine_for(const Problem& problem) {
  return contract_of(problem.collective).is_rooted() ? tuning::Combine::mean : tuning::Combine::least;
}

std::unique_ptr<tuning::Tuner> make_tuner(const TuningSettings& settings, const std::vector<Alternative>& alternatives,
                                          const Problem& problem) {
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
  return std::make_unique<tuning::Race>(log_estimates, false, assumptions, combine_for(problem));
}

}  // namespace

ByTime::ByTime(const Problem& problem, const Shape& shape, const Choice& usual, const TuningSettings& settings)
    : problem_(problem), shape_(shape), usual_(usual), settings_(settings) {}

void ByTime::begin(std::uint64_t ordinal) {
  const double start = now();
  alternatives_ = alternatives_for(problem_, shape_, usual_, settings_.reproducible);
  if (alternatives_.size() == 1) return;
  tuner_ = make_tuner(settings_, alternatives_, problem_);
  beside_seconds_ = now() - start;
  begin_block(ordinal);
}

void ByTime::begin_block(std::uint64_t ordinal) {
  const tuning::Plan& plan = tuner_->plan();
  block_begin_ = ordinal;
  next_block_ = ordinal + plan.calls.size() + plan.rest;
  numbers_.assign(first_call + plan.calls.size(), not_known);
}

bool ByTime::is_over(std::uint64_t ordinal) const {
  return tuner_ != nullptr && !tuner_->plan().for_ever && ordinal >= next_block_;
}

const Choice& ByTime::choice_of(int alternative) const { return alternatives_[static_cast<std::size_t>(alternative)].choice; }

Ruling ByTime::look(std::uint64_t ordinal) {
  if (given_up_ != nullptr) return {.choice = {.reason = given_up_}};
  if (ordinal < calls_before) return {.choice = usual_, .calls = calls_before - ordinal};
  if (alternatives_.empty()) begin(ordinal);
  if (tuner_ == nullptr) return {.choice = usual_};
  const tuning::Plan& plan = tuner_->plan();
  if (plan.for_ever) return {.choice = choice_of(plan.incumbent)};
  // The ranks could not agree yet.
  if (is_over(ordinal)) return {.choice = choice_of(plan.incumbent), .calls = 1};
  return ruling_at(static_cast<std::size_t>(ordinal - block_begin_));
}

// As long as the plan says the same.
Ruling ByTime::ruling_at(std::size_t place) const {
  const tuning::Plan& plan = tuner_->plan();
  if (place >= plan.calls.size()) {
    return {.choice = choice_of(plan.incumbent), .calls = plan.calls.size() + plan.rest - place};
  }
  std::size_t end = place + 1;
  while (end < plan.calls.size() && plan.calls[end] == plan.calls[place]) ++end;
  return {.choice = choice_of(plan.calls[place]), .calls = end - place, .wants_seconds = true};
}

Question ByTime::question(std::uint64_t ordinal) {
  if (given_up_ != nullptr || !is_over(ordinal)) return {};
  const bool is_sum = tuner_->combine() == tuning::Combine::mean;
  const double mine = state();
  numbers_[0] = mine;
  numbers_[1] = is_sum ? mine * mine : -mine;
  numbers_[beside_number] = beside_seconds_;
  asked_at_ = now();
  next_block_ = ordinal;
  return {numbers_, is_sum ? Question::By::sum : Question::By::least};
}

// Few bits, so that sums of squares are exact.
double ByTime::state() const {
  std::uint64_t hash = hash_of_number(next_block_ - block_begin_, hash_of_nothing);
  hash = hash_of_number(static_cast<std::uint64_t>(problem_.collective), hash);
  for (const int candidate : tuner_->plan().calls) hash = hash_of_number(static_cast<std::uint64_t>(candidate), hash);
  return static_cast<double>(mix(hash) & 0xffff);
}

bool ByTime::all_had_this_state(std::span<const double> state) const {
  const double ranks = shape_.size;
  if (tuner_->combine() == tuning::Combine::mean) return state[0] * state[0] == ranks * state[1];
  return state[0] == -state[1];
}

void ByTime::take_answer() {
  const double agreed_at = now();
  if (!all_had_this_state(numbers_)) return give_up();
  if (tuner_->combine() == tuning::Combine::mean) {
    for (double& number : numbers_) number /= shape_.size;
  }
  for (double& number : numbers_) {
    if (number == not_known) number = 0;
  }
  tuner_->learn({.calls = std::span(numbers_).subspan(first_call), .beside = numbers_[beside_number]});
  begin_block(next_block_);
  beside_seconds_ = now() - agreed_at + (agreed_at - asked_at_);
}

// All ranks come to know of it at once.
void ByTime::give_up() {
  given_up_ = "ranks did not decide alike: native for good";
  tuner_ = nullptr;
}

// Longer messages take longer: of short ones that does not show.
double ByTime::of_usual_size(double seconds, std::size_t bytes) const {
  constexpr double short_bytes = 4096;
  return seconds * (short_bytes + static_cast<double>(problem_.bytes())) /
         (short_bytes + static_cast<double>(bytes));
}

void ByTime::observe(std::uint64_t ordinal, std::size_t bytes, double seconds) {
  if (tuner_ == nullptr || ordinal < block_begin_) return;
  const std::uint64_t place = first_call + (ordinal - block_begin_);
  if (place < numbers_.size()) numbers_[place] = std::max(1e-9, of_usual_size(seconds, bytes));
}

}  // namespace espalier
