// SPDX-License-Identifier: Apache-2.0
#include "policy/by_time.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "estimate/estimate.hpp"
#include "estimate/network_bound.hpp"
#include "policy/by_arrival.hpp"
#include "policy/tuner_for.hpp"
#include "select/choice_text.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier {

namespace {

// Until the ranks agree on how long a call takes. That takes about as long as a short call.
constexpr std::uint64_t calls_before = 8, calls_before_of_short = 128, calls_timed_before = 4;
constexpr std::uint64_t calls_to_hear = 8;  // who is late, if that is found soon
constexpr std::size_t short_bytes = 4096;
constexpr double max_calls_before = 1e9;
constexpr double search_seconds_per_rank = 1e-4;
constexpr double search_seconds_per_known_rank = 5e-4;  // as the network itself is played
constexpr std::uint64_t agreements_told = 8;            // what was learnt after so many, twice as many, ...
// Blocks are of different lengths, but what is shared seldom is: so that it is prepared but once.
constexpr std::size_t usual_numbers = 32;
constexpr double usual_sd = .1;  // of the logarithm of the first time that is measured
constexpr double all_that_is_lent = std::numeric_limits<double>::infinity();

// So that sums of squares are exact.
double few_bits(std::uint64_t hash) { return static_cast<double>(mix(hash) & 0xffff); }

void set_with_square(std::vector<double>& numbers, std::size_t place, double number) {
  numbers[place] = number;
  numbers[place + 1] = number * number;
}

std::uint64_t hash_of(const ContextMemory& memory) {
  std::uint64_t hash = hash_of_nothing;
  for (const KnownWay& way : memory.ways) {
    hash = hash_of_text(way.choice, hash);
    for (const double number : {way.seconds, way.sd}) hash = hash_of_number(std::bit_cast<std::uint64_t>(number), hash);
  }
  return hash;
}

constexpr std::string_view policy_words[] = {"estimate", "race", "star", "adcl", "intel"};

// What was not tried again is less and less sure from job to job.
void add_if_fresh(const KnownChoice& known, double sd, std::vector<KnownWay>& ways) {
  constexpr double max_sd = .35;
  if (sd < max_sd) ways.push_back({text_of(known.choice), tuning::exp_of(known.log_seconds), sd});
}

}  // namespace

ByTime::ByTime(const Problem& problem, const Shape& shape, Start start, const TuningSettings& settings,
               std::shared_ptr<Memory> memory, bool hears_who_is_late)
    : problem_(problem),
      shape_(shape),
      start_(std::move(start)),
      settings_(settings),
      memory_(std::move(memory)),
      calls_overlap_(calls_overlap(problem.collective, problem.bytes())),
      hears_who_is_late_(hears_who_is_late),
      ranks_depend_on_all_(depends_on_all(problem.collective)) {
  const bool is_short = problem.bytes() * static_cast<std::size_t>(shape.size) < short_bytes;
  begin_block(0, (is_short ? calls_before_of_short : calls_before) - calls_timed_before, calls_timed_before);
}

ByTime::~ByTime() { tell_others(); }

void ByTime::tell_others() {
  if (memory_ == nullptr || tuner_ == nullptr || shape_.placement == nullptr) return;
  if (arranger_ != nullptr) return;  // what was measured is for ranks that come so late
  try {
    ContextMemory learnt = what_was_learnt();
    if (learnt.ways.size() > 1) memory_->learn(*shape_.placement, std::move(learnt));
  } catch (const std::bad_alloc&) {
    // What is learnt is a help, no more.
  }
}

int ByTime::place_of_usual() const {
  const auto found = std::ranges::find(alternatives_, start_.usual, &Alternative::choice);
  return found != alternatives_.end() ? static_cast<int>(found - alternatives_.begin()) : 0;
}

void ByTime::begin_block(std::uint64_t ordinal, std::size_t rest, std::size_t timed) {
  block_begin_ = ordinal;
  timed_begin_ = ordinal + rest;
  block_end_ = timed_begin_ + timed;
  numbers_.assign(first_call + std::max(timed, usual_numbers), not_known);
  if (calls_overlap_) meeting_numbers_.resize(numbers_.size());
}

void ByTime::find_alternatives(std::uint64_t ordinal) {
  alternatives_ = alternatives_for(problem_, shape_, start_.usual, settings_.reproducible);
  if (arranger_ == nullptr) {
    add_known(start_.known, alternatives_);
  } else {
    look_at_arrivals({{start_.usual, tuning::log_of(usual_seconds_), usual_sd}});
  }
  if (alternatives_.size() == 1) return;
  record_.begin(alternatives_.size(), place_of_usual(), static_cast<double>(ordinal));
  begin_race(ordinal, place_of_usual(), all_that_is_lent);
}

void ByTime::begin_race(std::uint64_t ordinal, int first, double room) {
  tuner_ = tuner_for(settings_, alternatives_, first, calls_overlap_, room);
  waits_for_sums_ = true;
  begin_block(ordinal, tuner_->plan().rest, tuner_->plan().calls.size());
}

// The first orders bring new candidates, and are lent as much as the start; later ones have what is left of that.
void ByTime::rearranged(std::uint64_t ordinal, Arranger& arranger) {
  if (given_up_ != nullptr) return;
  const bool are_first = std::exchange(arranger_, &arranger) == nullptr;
  if (tuner_ == nullptr) return;  // the search comes yet, or there is nothing to choose from
  const int first = tuner_->plan().incumbent;
  const double room = are_first ? all_that_is_lent : tuner_->room();
  look_at_arrivals(opinions());
  record_.extend(alternatives_.size());
  begin_race(ordinal, first, room);
}

// What was measured since ranks come late stays, but of choices by arrival: that was of another arrangement.
void ByTime::look_at_arrivals(const std::vector<KnownChoice>& known) {
  add_known(known, alternatives_);
  add_by_arrival(*arranger_, alternatives_);
  expect_by_arrival(*arranger_, alternatives_, [&](const Choice& choice) {
    return std::ranges::find(known, choice, &KnownChoice::choice) != known.end();
  });
}

std::vector<KnownChoice> ByTime::opinions() const {
  std::vector<KnownChoice> known;
  for (std::size_t i = 0; i < alternatives_.size(); ++i) {
    const tuning::Opinion opinion = tuner_->opinion(static_cast<int>(i));
    if (opinion.seconds > 0 && !alternatives_[i].choice.by_arrival)
      known.push_back({alternatives_[i].choice, tuning::log_of(opinion.seconds), opinion.sd});
  }
  return known;
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
  if (tuner_ == nullptr) return {.choice = start_.usual};
  const tuning::Plan& plan = tuner_->plan();
  if (plan.for_ever) return {.choice = choice_of(plan.incumbent)};
  if (is_over(ordinal)) return {.choice = choice_of(plan.incumbent), .calls = 1};  // the ranks could not agree yet
  if (ordinal < timed_begin_) return {.choice = choice_of(plan.incumbent), .calls = timed_begin_ - ordinal};
  return ruling_by(plan, static_cast<std::size_t>(ordinal - timed_begin_));
}

Ruling ByTime::ruling_before(std::uint64_t ordinal) const {
  if (search_at_ > 0) return {.choice = start_.usual, .calls = search_at_ - ordinal};
  if (ordinal < timed_begin_) return {.choice = start_.usual, .calls = timed_begin_ - ordinal};
  return {.choice = start_.usual, .calls = ordinal < block_end_ ? block_end_ - ordinal : 1, .wants_seconds = true};
}

// As long as the plan says the same.
Ruling ByTime::ruling_by(const tuning::Plan& plan, std::size_t place) const {
  std::size_t end = place + 1;
  while (end < plan.calls.size() && plan.calls[end] == plan.calls[place]) ++end;
  return {.choice = choice_of(plan.calls[place]), .calls = end - place, .wants_seconds = true};
}

// First, where calls overlap, nothing but what tells whether the ranks decide alike: as many numbers, so that ranks
// which do not are found out. Not among late ranks: in the call after that nobody would be late.
std::span<double> ByTime::numbers_to_share(std::uint64_t ordinal) {
  const bool must_meet = calls_overlap_ && arranger_ == nullptr;
  if (!is_over(ordinal) && !(must_meet && begins_run(ordinal))) return {};
  shared_at_ = now();
  meets_before_ = no_call;  // what was begun may not have come to its end
  if (must_meet && meetings_.is_due(ordinal)) {
    meets_before_ = ordinal;
    std::ranges::fill(meeting_numbers_, 0);
    set_with_square(meeting_numbers_, state_hash, state());
    return meeting_numbers_;
  }
  if (!is_over(ordinal)) return {};
  if (tuner_ == nullptr) look_what_was_learnt();
  set_with_square(numbers_, state_hash, state());
  set_with_square(numbers_, learnt_hash, learnt_elsewhere_ ? 1 + few_bits(hash_of(*learnt_elsewhere_)) : 0);
  numbers_[beside] = beside_seconds_;
  block_end_ = ordinal;
  return numbers_;
}

// Of another candidate than the call before, inside a block.
bool ByTime::begins_run(std::uint64_t ordinal) const {
  if (!waits_for_sums_ || tuner_ == nullptr || ordinal <= timed_begin_ || ordinal >= block_end_) return false;
  const auto place = static_cast<std::size_t>(ordinal - timed_begin_);
  const tuning::Plan& plan = tuner_->plan();
  return place < plan.calls.size() && plan.calls[place] != plan.calls[place - 1];
}

double ByTime::state() const {
  std::uint64_t hash = hash_of_number(static_cast<std::uint64_t>(problem_.collective), hash_of_nothing);
  for (const std::uint64_t call : {block_begin_, block_end_}) hash = hash_of_number(call, hash);
  if (tuner_ != nullptr) {
    for (const int candidate : tuner_->plan().calls) hash = hash_of_number(static_cast<std::uint64_t>(candidate), hash);
  }
  return few_bits(hash);
}

// By the inequality of Cauchy and Schwarz.
bool ByTime::all_had_one(std::span<const double> numbers, std::size_t number) const {
  return numbers[number] * numbers[number] == shape_.size * numbers[number + 1];
}

// Whoever comes first to share waits for the others, or for a core, as it would in the call itself: that is no cost,
// and the least says what is. It is no more than some calls in which all ranks depend on all, too.
void ByTime::note_sharing(double seconds) {
  constexpr double max_calls = 4, always_believed = 2e-5;
  const double known = ranks_depend_on_all_ ? std::max(max_calls * least_call_seconds_, always_believed) : not_known;
  sharing_seconds_ = std::min({sharing_seconds_, seconds, known});
  waited_seconds_ += seconds - sharing_seconds_;
}

void ByTime::take_sums() {
  const double begun_at = now(), computed_at = computed_seconds();
  const double least_before = sharing_seconds_;
  note_sharing(begun_at - shared_at_);
  if (meets_before_ != no_call) return take_meeting(begun_at - shared_at_, least_before);
  if (!all_had_one(numbers_, state_hash)) return give_up();
  if (!all_had_one(numbers_, learnt_hash)) learnt_elsewhere_.reset();
  for (double& number : numbers_) number = number == not_known ? 0 : number / shape_.size;
  tuner_ == nullptr ? take_time_of_usual() : take_block();
  const double planning_seconds = std::min(now() - begun_at, computed_seconds() - computed_at);
  beside_seconds_ = (1 + meetings_.take_count()) * sharing_seconds_ + planning_seconds;
  record_.note_agreement(beside_seconds_, std::exchange(waited_seconds_, 0));
  if (record_.agreements() >= agreements_told && std::has_single_bit(record_.agreements())) tell_others();
}

// What this rank waited there for others is added to the calls before, as far as they were timed.
void ByTime::take_meeting(double seconds, double least) {
  const std::uint64_t ordinal = std::exchange(meets_before_, no_call);
  if (!all_had_one(meeting_numbers_, state_hash)) return give_up();
  meetings_.note(ordinal, seconds, least);
  for (std::size_t place = 0; first_call + place < numbers_.size(); ++place) {
    double& timed = numbers_[first_call + place];
    const std::uint64_t call = timed_begin_ + place;
    if (timed != not_known && call >= meetings_.first() && call < ordinal) timed += meetings_.waited_per_call();
  }
}

// In the first block only: then nothing has been sought yet.
void ByTime::look_what_was_learnt() {
  if (memory_ == nullptr || shape_.placement == nullptr || !start_.known.empty()) return;
  try {
    learnt_elsewhere_ = memory_->learnt(*shape_.placement, context_of(problem_));
  } catch (const std::bad_alloc&) {
    // The other ranks hear of it: here nothing was learnt.
  }
}

void ByTime::take_what_was_learnt() {
  if (learnt_elsewhere_) {
    start_ = start_from(*learnt_elsewhere_, problem_, shape_, start_.usual,
                        is_bound_to_order(problem_, settings_.reproducible));
  }
  learnt_elsewhere_.reset();
}

// The search shall take no more than the budget's share of the time so far.
void ByTime::take_time_of_usual() {
  const auto timed = std::span(numbers_).subspan(first_call, calls_timed_before);
  double seconds = 0;
  for (const double each : timed) {
    if (each > 0 && (seconds == 0 || each < seconds)) seconds = each;
  }
  if (seconds == 0) return begin_block(block_end_, 0, calls_timed_before);
  usual_seconds_ = seconds;
  take_what_was_learnt();
  waits_for_sums_ = false;
  const double search_seconds = can_be_estimated(shape_) ? search_seconds_per_known_rank * shape_.size
                                                         : search_seconds_per_rank * std::min<Rank>(shape_.size, 8);
  const double calls = std::min(max_calls_before, search_seconds / (settings_.budget * seconds));
  // Where the ranks meet to see what overlapping calls cost, a late one makes all wait: better hear of it first.
  const std::uint64_t first = block_end_ + (calls_overlap_ && hears_who_is_late_ ? calls_to_hear : 0);
  search_at_ = std::max(first, static_cast<std::uint64_t>(calls));
}

void ByTime::take_block() {
  const tuning::Plan& plan = tuner_->plan();
  // The ranks have just met: in the first call nobody is late. But what was tried there counts as tried.
  const bool begins_as_usual = plan.calls.size() > 1 && plan.calls.front() == plan.incumbent;
  if (arranger_ != nullptr && plan.rest == 0 && begins_as_usual) numbers_[first_call] = 0;
  const auto seconds = std::span<const double>(numbers_).subspan(first_call, plan.calls.size());
  record_.note_block(plan, block_begin_, block_end_, seconds);
  if (settings_.keeps_log) record_.log_block(plan, block_begin_, block_end_, seconds, numbers_[beside]);
  tuner_->learn({.calls = seconds, .beside = numbers_[beside]});
  waits_for_sums_ = !plan.for_ever;
  begin_block(block_end_, plan.rest, plan.calls.size());
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

const char* ByTime::state_in_words() const {
  if (given_up_ != nullptr) return "given up";
  if (tuner_ == nullptr) return alternatives_.empty() ? "before" : "for ever";
  return tuner_->plan().for_ever ? "for ever" : "racing";
}

std::optional<ContextStory> ByTime::story(std::uint64_t calls) const {
  ContextStory story{.key = context_of(problem_),
                     .ranks = shape_.size,
                     .policy = policy_words[static_cast<std::size_t>(settings_.policy)],
                     .start = !start_.known.empty()       ? "memory"
                              : shape_.network != nullptr ? "estimate"
                                                          : "cold",
                     .state = state_in_words(),
                     .calls = calls,
                     .first = place_of_usual(),
                     .incumbent = tuner_ != nullptr ? tuner_->plan().incumbent : -1,
                     .bound_seconds = network_bound_seconds(problem_, shape_),
                     .agreements = record_.agreements(),
                     .agreement_seconds = record_.agreement_seconds(),
                     .waiting_seconds = record_.waiting_seconds(),
                     .blocks = record_.blocks()};
  const auto log_estimate = [](const Alternative& one) { return one.estimate.log_seconds; };
  const double best =
      alternatives_.empty() ? 0 : log_estimate(*std::ranges::min_element(alternatives_, {}, log_estimate));
  for (std::size_t i = 0; i < alternatives_.size() && tuner_ != nullptr; ++i) {
    const tuning::Opinion opinion = tuner_->opinion(static_cast<int>(i));
    story.candidates.push_back({.choice = alternatives_[i].choice,
                                .estimate = alternatives_[i].estimate,
                                .estimated_times_best = tuning::exp_of(log_estimate(alternatives_[i]) - best),
                                .calls = record_.calls_of(static_cast<int>(i)),
                                .timed = record_.timed_of(static_cast<int>(i)),
                                .seconds = opinion.seconds,
                                .sd = opinion.sd});
  }
  if (story.candidates.empty()) return story;
  // Those of the block that goes on.
  story.candidates[tuning::index_of(story.incumbent)].calls += static_cast<double>(calls) - record_.calls();
  return story;
}

// The incumbent first, then the others that were timed.
ContextMemory ByTime::what_was_learnt() const {
  ContextMemory learnt{.key = context_of(problem_), .calls = record_.calls()};
  for (std::size_t i = 0; i < alternatives_.size(); ++i) {
    const tuning::Opinion opinion = tuner_->opinion(static_cast<int>(i));
    if (opinion.seconds > 0) {
      learnt.ways.push_back({text_of(alternatives_[i].choice), opinion.seconds, opinion.sd});
    } else if (const auto known = std::ranges::find(start_.known, alternatives_[i].choice, &KnownChoice::choice);
               known != start_.known.end()) {
      add_if_fresh(*known, alternatives_[i].estimate.sd, learnt.ways);
    }
  }
  const std::string best = text_of(alternatives_[tuning::index_of(tuner_->plan().incumbent)].choice);
  std::ranges::sort(learnt.ways, {}, [&](const KnownWay& way) { return std::pair(way.choice != best, way.seconds); });
  return learnt;
}

void ByTime::observe(std::uint64_t ordinal, std::size_t bytes, const CallTimes& times) {
  if (ordinal < timed_begin_) return;
  least_call_seconds_ = std::min(least_call_seconds_, times.taken);
  const std::uint64_t place = first_call + (ordinal - timed_begin_);
  if (place < numbers_.size()) numbers_[place] = std::max(1e-9, of_usual_size(times.taken, bytes));
}

}  // namespace espalier
