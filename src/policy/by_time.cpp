// SPDX-License-Identifier: Apache-2.0
#include "policy/by_time.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "estimate/network_bound.hpp"
#include "policy/by_arrival.hpp"
#include "policy/by_kin.hpp"
#include "policy/measured/learnt.hpp"
#include "policy/tuner_for.hpp"
#include "select/quick_alternatives.hpp"
#include "tuning/evidence/assumptions.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier {

namespace {

// Until the ranks agree on how long a call takes. That takes about as long as a short call.
constexpr std::uint64_t calls_before = 8, calls_before_of_short = 128, calls_timed_before = 4;
constexpr std::uint64_t calls_before_in_memory = 4096;  // of short ones that take less than a microsecond
constexpr std::uint64_t calls_to_receive = 8;           // who is late, if that is found soon
constexpr double max_calls_before = 1e9;
constexpr std::size_t bytes_like_a_message = 4096;      // sent in the time that any takes
constexpr std::uint64_t max_calls_before_full = 10000;  // search of short calls: else it is a quick one
constexpr double quick_search_seconds = 2e-5, min_shared_search_seconds = 1e-3;
constexpr std::uint64_t agreements_remembered = 8;  // what was learnt after this many, twice as many, ...
constexpr double default_sd = .1;                   // of the logarithm of the first time that is measured
constexpr double min_call_seconds = 1e-9;           // no call takes less
// Calls of which many are made in that time are timed in runs that take about as long.
constexpr double run_seconds = 1.6e-5;
constexpr std::uint64_t min_run = 4, max_run = 16;
constexpr double watch_seconds = 7e-8;  // what it takes to time a call
constexpr double all_that_is_lent = std::numeric_limits<double>::infinity();

// So that sums of squares are exact.
double few_bits(std::uint64_t hash) { return static_cast<double>(mix(hash) & 0xffff); }

double learnt_in_bits(const std::optional<ContextMemory>& learnt) {
  return learnt ? 1 + few_bits(hash_of(*learnt)) : 0;
}

double learnt_in_bits(const std::vector<ContextMemory>& kin) {
  return kin.empty() ? 0 : 1 + few_bits(hash_of_kin(kin));
}

// Of those that are known; 0: none is.
double least_of(std::span<const double> times) {
  double least = 0;
  for (const double each : times) {
    if (each > 0 && (least == 0 || each < least)) least = each;
  }
  return least;
}

// Where learning may cost more than it does by default, as where a job is there to learn, it begins as much earlier.
std::uint64_t calls_before_measuring(const Problem& problem, const Shape& shape, double budget) {
  if (!is_short(problem, shape)) return calls_before;
  const bool may_wait = shape.in_memory && !shape.is_crowded;
  if (!may_wait) return calls_before_of_short;
  const double by_default = tuning::Assumptions().budget * static_cast<double>(calls_before_in_memory);
  return static_cast<std::uint64_t>(std::clamp(by_default / budget, static_cast<double>(calls_before_of_short),
                                               static_cast<double>(calls_before_in_memory)));
}

// Of calls that take so long.
std::uint64_t run_of(double seconds) {
  std::uint64_t run = 1;
  while (run < max_run && static_cast<double>(run) * seconds < run_seconds) run *= 2;
  return run < min_run ? 1 : run;
}

// Of the search, where each rank does one. It has about as many plays, at least.
double seconds_of_part(double seconds, Rank ranks) {
  constexpr Rank most_parts = 32;
  return seconds / std::min(most_parts, ranks);
}

bool is_star(TuningPolicy policy) { return policy == TuningPolicy::star || policy == TuningPolicy::star_by_winner; }

constexpr std::string_view policy_words[] = {"estimate", "race", "star", "adcl", "intel", "star-by-winner"};

}  // namespace

ByTime::ByTime(const Problem& problem, const Shape& shape, Start start, const TuningSettings& settings,
               std::shared_ptr<Memory> memory, bool receives_who_is_late)
    : problem_(problem),
      shape_(shape),
      settings_(settings),
      memory_(std::move(memory)),
      calls_overlap_(calls_overlap(problem.collective, problem.bytes())),
      receives_who_is_late_(receives_who_is_late),
      start_(std::move(start)),
      exchanges_(depends_on_all(problem.collective)) {
  if (learns_at_any_cost()) {
    phase_ = BeforeSearch{};
    return;
  }
  std::get<Measuring>(phase_).block.start(
      0, calls_before_measuring(problem, shape, settings.budget) - calls_timed_before, calls_timed_before);
}

// As others do it: from the first call on, and without a look at what that costs.
bool ByTime::learns_at_any_cost() const {
  return settings_.policy != TuningPolicy::race && settings_.policy != TuningPolicy::estimate;
}

const tuning::Tuner* ByTime::tuner() const {
  if (const auto* racing = std::get_if<Racing>(&phase_)) return racing->tuner.get();
  const auto* settled = std::get_if<Settled>(&phase_);
  return settled != nullptr ? settled->tuner.get() : nullptr;
}

// On which the ranks agree next.
Block* ByTime::block() {
  if (auto* measuring = std::get_if<Measuring>(&phase_)) return &measuring->block;
  if (auto* asking = std::get_if<AskingKin>(&phase_)) return &asking->block;
  auto* racing = std::get_if<Racing>(&phase_);
  return racing != nullptr ? &racing->block : nullptr;
}

// What is known from the start says more.
bool ByTime::may_learn_from_others() const {
  return memory_ != nullptr && shape_.placement != nullptr && start_.known.empty();
}

// What runs.

RunCalls ByTime::run(std::uint64_t ordinal) {
  const auto* before = std::get_if<BeforeSearch>(&phase_);
  if (before != nullptr && ordinal >= before->search_at && !before->is_shared) search(ordinal, *before);
  return std::visit([&](const auto& phase) { return run_in(phase, ordinal); }, phase_);
}

RunCalls ByTime::run_in(const Measuring& measuring, std::uint64_t ordinal) const {
  const Block& block = measuring.block;
  if (ordinal < block.timed_begin) return {.choice = start_.baseline, .calls = block.timed_begin - ordinal};
  return {.choice = start_.baseline, .calls = block.is_over(ordinal) ? 1 : block.end - ordinal, .is_timed = true};
}

RunCalls ByTime::run_in(const AskingKin& asking, std::uint64_t ordinal) const {
  return {.choice = start_.baseline, .calls = asking.block.is_over(ordinal) ? 1 : asking.block.end - ordinal};
}

RunCalls ByTime::run_in(const BeforeSearch& before, std::uint64_t ordinal) const {
  if (ordinal >= before.search_at) return {.choice = start_.baseline, .calls = 1};
  return {.choice = start_.baseline, .calls = before.search_at - ordinal};
}

RunCalls ByTime::run_in(const Searching& /*searching*/, std::uint64_t /*ordinal*/) const {
  return {.choice = start_.baseline, .calls = 1};
}

RunCalls ByTime::run_in(const Alone& /*alone*/, std::uint64_t /*ordinal*/) const { return {.choice = start_.baseline}; }

RunCalls ByTime::run_in(const Racing& racing, std::uint64_t ordinal) const {
  const tuning::Plan& plan = racing.tuner->plan();
  const Block& block = racing.block;
  // The ranks could not agree yet.
  if (block.is_over(ordinal)) return {.choice = choice_of(plan, plan.incumbent), .calls = 1};
  if (ordinal < block.timed_begin)
    return {.choice = choice_of(plan, plan.incumbent), .calls = block.timed_begin - ordinal};
  return run_planned(plan, block, ordinal);
}

// As long as the plan says the same.
RunCalls ByTime::run_planned(const tuning::Plan& plan, const Block& block, std::uint64_t ordinal) const {
  const std::size_t place = block.place_of(ordinal);
  std::size_t end = place + 1;
  while (end < plan.calls.size() && plan.calls[end] == plan.calls[place]) ++end;
  return {.choice = choice_of(plan, plan.calls[place]),
          .calls = block.timed_begin + end * block.run - ordinal,
          .is_timed = true};
}

RunCalls ByTime::run_in(const Settled& settled, std::uint64_t /*ordinal*/) const {
  const tuning::Plan& plan = settled.tuner->plan();
  return {.choice = choice_of(plan, plan.incumbent)};
}

RunCalls ByTime::run_in(const Aborted& /*aborted*/, std::uint64_t /*ordinal*/) const {
  return {.choice = {.reason = "decisions differed between ranks: native for good"}};
}

Choice ByTime::choice_of(const tuning::Plan& plan, int alternative) const {
  Choice choice = alternatives_[tuning::index_of(alternative)].choice;
  choice.reason = alternative == plan.incumbent ? "by time: the fastest so far" : "by time: tried";
  return choice;
}

// What is exchanged.

// First, where calls overlap, nothing but what tells whether the ranks decide alike: as many numbers, so that ranks
// which do not are found out. Not among late ranks: in the call after that nobody would be late.
std::optional<PolicyExchange> ByTime::exchange(std::uint64_t ordinal, Asked /*asked*/) {
  if (auto* aborted = std::get_if<Aborted>(&phase_))
    return std::exchange(aborted->is_reported, true) ? std::nullopt : std::optional<PolicyExchange>(Diverged{});
  begin_shared_search(ordinal);
  if (auto* searching = std::get_if<Searching>(&phase_)) return search_before(ordinal, *searching);
  Block* const ended = block();
  if (ended == nullptr || !(ended->is_over(ordinal) || (must_meet() && begins_run(ordinal)))) return std::nullopt;
  exchanges_.begin(now());
  meets_before_.reset();  // what was begun may not have ended
  if (must_meet() && meetings_.is_due(ordinal)) return meet_before(ordinal, *ended);
  if (!ended->is_over(ordinal)) return std::nullopt;
  return agree_before(ordinal, *ended);
}

// Of another candidate than the call before, inside a block.
bool ByTime::begins_run(std::uint64_t ordinal) const {
  const auto* racing = std::get_if<Racing>(&phase_);
  if (racing == nullptr || ordinal <= racing->block.timed_begin || ordinal >= racing->block.end) return false;
  const std::size_t place = racing->block.place_of(ordinal);
  const tuning::Plan& plan = racing->tuner->plan();
  return place < plan.calls.size() && plan.calls[place] != plan.calls[place - 1];
}

void ByTime::begin_shared_search(std::uint64_t ordinal) {
  const auto* before = std::get_if<BeforeSearch>(&phase_);
  if (before == nullptr || !before->is_shared || ordinal < before->search_at) return;
  const double default_seconds = before->default_seconds;
  phase_ =
      Searching{.default_seconds = default_seconds,
                .search = std::make_unique<SharedSearch>(problem_, shape_, start_.baseline, settings_.reproducible)};
}

SumOverRanks ByTime::search_before(std::uint64_t ordinal, Searching& searching) const {
  searching.ordinal = ordinal;
  return {.numbers = searching.search->begin(state(searching)), .work = searching.search.get()};
}

SumOverRanks ByTime::meet_before(std::uint64_t ordinal, const Block& block) {
  meets_before_ = ordinal;
  meeting_numbers_.begin_like(block.numbers);
  meeting_numbers_.set_state_alone(state(block));
  return {meeting_numbers_.all()};
}

SumOverRanks ByTime::agree_before(std::uint64_t ordinal, Block& block) {
  const double learnt = look_what_was_learnt();
  block.numbers.set({.state = CommonNumber::of(state(block)),
                     .learnt = CommonNumber::of(learnt),
                     .overhead = overhead_seconds_,
                     .once = std::exchange(once_seconds_, 0) + block.take_first_calls()});
  block.end = ordinal;
  return {block.numbers.all()};
}

// In bits.
double ByTime::look_what_was_learnt() {
  if (auto* measuring = std::get_if<Measuring>(&phase_)) {
    look_what_was_learnt(*measuring);
    return learnt_in_bits(measuring->learnt_elsewhere);
  }
  if (!std::holds_alternative<AskingKin>(phase_)) return 0;
  look_for_kin();
  return learnt_in_bits(kin_);
}

void ByTime::look_what_was_learnt(Measuring& measuring) const {
  if (!may_learn_from_others()) return;
  try {
    measuring.learnt_elsewhere = memory_->learnt(*shape_.placement, context_of(problem_));
  } catch (const std::bad_alloc&) {
    // The other ranks learn of it: here nothing was learnt.
  }
}

void ByTime::look_for_kin() {
  try {
    kin_ = memory_->other_sizes(*shape_.placement, context_of(problem_));
  } catch (const std::bad_alloc&) {
    kin_.clear();  // as above
  }
}

double ByTime::state(const Block& block) const {
  std::uint64_t hash = hash_of_number(static_cast<std::uint64_t>(problem_.collective), hash_of_nothing);
  for (const std::uint64_t call : {block.begin, block.end}) hash = hash_of_number(call, hash);
  if (const tuning::Tuner* known = tuner()) {
    for (const int candidate : known->plan().calls) hash = hash_of_number(static_cast<std::uint64_t>(candidate), hash);
  }
  return few_bits(hash);
}

double ByTime::state(const Searching& searching) const {
  const std::uint64_t hash = hash_of_number(static_cast<std::uint64_t>(problem_.collective), hash_of_nothing);
  return few_bits(hash_of_number(searching.ordinal, hash_of_number(searching.search->hash(), hash)));
}

// The results.

std::optional<CallReport> ByTime::take(const PolicyResult& result) {
  std::visit([this](const auto& one) { on(one); }, result);
  return std::nullopt;
}

void ByTime::on(const CallEnded& ended) {
  Block* const timed = block();
  if (timed == nullptr || ended.ordinal < timed->timed_begin) return;
  exchanges_.note_call(ended.times.taken);
  timed->note(ended.ordinal, std::max(min_call_seconds, of_default_size(ended.times.taken, ended.bytes)));
}

// Longer messages take longer: of short ones that does not show.
double ByTime::of_default_size(double seconds, std::size_t bytes) const {
  const auto with_start = [](std::size_t size) { return static_cast<double>(bytes_like_a_message + size); };
  return seconds * with_start(problem_.bytes()) / with_start(bytes);
}

void ByTime::on(const Sums& /*sums*/) {
  if (const auto* searching = std::get_if<Searching>(&phase_)) return take_shared(*searching);
  const double least_before = exchanges_.least();
  const double ended_at = now();
  const double seconds = exchanges_.end(ended_at);
  if (meets_before_) return take_meeting(*std::exchange(meets_before_, std::nullopt), seconds, least_before);
  const double computed_at = computed_seconds();
  Block* const ended = block();
  if (!ended->numbers.head().state.is_common(shape_.size)) {
    phase_ = Aborted{};
    return;
  }
  const double not_shared_yet = std::holds_alternative<AskingKin>(phase_) ? overhead_seconds_ : 0;
  const double watching = run_ > 1 ? watch_seconds * static_cast<double>(ended->end - ended->timed_begin) : 0;
  take_block(*ended);
  const double planning_seconds = std::min(now() - ended_at, computed_seconds() - computed_at);
  overhead_seconds_ = (1 + meetings_.take_count()) * exchanges_.least() + planning_seconds + watching + not_shared_yet;
  record_.note_agreement(overhead_seconds_, exchanges_.take_waited());
  if (record_.agreements() >= agreements_remembered && std::has_single_bit(record_.agreements())) remember();
}

// What this rank waited there for others is added to the calls before, as far as they were timed.
void ByTime::take_meeting(std::uint64_t ordinal, double seconds, double least) {
  if (!meeting_numbers_.head().state.is_common(shape_.size)) {
    phase_ = Aborted{};
    return;
  }
  meetings_.note(ordinal, seconds, least);
  block()->add_to_times(meetings_.first(), ordinal, meetings_.waited_per_call());
}

void ByTime::take_block(Block& block) {
  const bool all_have_learnt_it = block.numbers.head().learnt.is_common(shape_.size);
  block.numbers.take_means(shape_.size);
  if (auto* racing = std::get_if<Racing>(&phase_)) return take_means(*racing);
  if (const auto* asking = std::get_if<AskingKin>(&phase_)) return take_kin(*asking, all_have_learnt_it);
  auto& measuring = std::get<Measuring>(phase_);
  if (!all_have_learnt_it) measuring.learnt_elsewhere.reset();
  take_means(measuring);
}

void ByTime::take_means(Measuring& measuring) {
  Block& block = measuring.block;
  const double seconds = least_of(block.numbers.times().first(calls_timed_before));
  if (seconds == 0) return block.start(block.end, 0, calls_timed_before);
  if (measuring.learnt_elsewhere) {
    start_ = start_from(*measuring.learnt_elsewhere, problem_, shape_, start_.baseline,
                        is_bound_to_order(problem_, settings_.reproducible));
  }
  const BeforeSearch before = before_search(block.end, seconds);
  if (!may_learn_from_others()) {
    phase_ = before;
    return;
  }
  AskingKin asking{.before = before};
  asking.block.start(block.end, before.search_at - block.end, 0);
  phase_ = std::move(asking);
}

// What was read at the start is the same on all ranks in any case.
void ByTime::take_kin(const AskingKin& asking, bool all_know_it) {
  if (!all_know_it) kin_ = memory_->other_sizes_at_start(*shape_.placement, context_of(problem_));
  phase_ = BeforeSearch(asking.before);
}

// The search shall take no more than the budget's share of the time so far. Where that would be in the far future, it
// is a quick one; and where it takes longer than to meet, the ranks share it.
ByTime::BeforeSearch ByTime::before_search(std::uint64_t ordinal, double default_seconds) const {
  const auto calls_for = [&](double seconds) {
    return static_cast<std::uint64_t>(std::min(max_calls_before, seconds / (settings_.budget * default_seconds)));
  };
  const double alone_seconds = seconds_to_find_alternatives(problem_, shape_);
  const bool is_shared = alone_seconds >= min_shared_search_seconds;
  const std::uint64_t calls = calls_for(is_shared ? seconds_of_part(alone_seconds, shape_.size) : alone_seconds);
  const bool is_quick = run_of(default_seconds) > 1 && !calls_overlap_ && calls > max_calls_before_full;
  // Where the ranks meet to see what overlapping calls cost, a late one makes all wait: better to know of it first.
  const std::uint64_t first = ordinal + (calls_overlap_ && receives_who_is_late_ ? calls_to_receive : 0);
  return {.search_at = std::max(first, is_quick ? calls_for(quick_search_seconds) : calls),
          .default_seconds = default_seconds,
          .is_quick = is_quick,
          .is_shared = is_shared && !is_quick};
}

std::vector<Alternative> ByTime::alternatives_found(bool is_quick) const {
  const bool is_papers = problem_.collective == Collective::alltoall && is_star(settings_.policy);
  if (is_papers) return alternatives_of_star(problem_, shape_);
  const auto find = is_quick ? quick_alternatives : alternatives_for;
  return find(problem_, shape_, start_.baseline, settings_.reproducible);
}

void ByTime::search(std::uint64_t ordinal, const BeforeSearch& before) {
  const double began_at = now();
  alternatives_ = alternatives_found(before.is_quick);
  look_at_alternatives(ordinal, before.default_seconds, began_at);
}

void ByTime::take_shared(const Searching& searching) {
  if (!searching.search->is_common(shape_.size)) {
    phase_ = Aborted{};
    return;
  }
  const double began_at = now();
  if (calls_overlap_) meetings_.note(searching.ordinal, 0, 0);  // of calls that nobody timed
  alternatives_ = searching.search->alternatives();
  look_at_alternatives(searching.ordinal, searching.default_seconds, began_at);
}

void ByTime::look_at_alternatives(std::uint64_t ordinal, double default_seconds, double began_at) {
  if (default_seconds > 0 && !calls_overlap_) run_ = run_of(default_seconds);
  const std::vector<ContextMemory> kin = std::exchange(kin_, {});
  if (arranger_ == nullptr) {
    add_known(start_.known, alternatives_);
    knows_kin_ = expect_by_kin(kin, problem_, shape_, alternatives_);
  } else {
    std::vector<KnownChoice> known;
    if (default_seconds > 0) known.push_back({start_.baseline, tuning::log_of(default_seconds), default_sd});
    look_at_arrivals(known);
  }
  if (alternatives_.size() == 1) {
    phase_ = Alone{};
    return;
  }
  record_.begin(alternatives_.size(), place_of_default(), static_cast<double>(ordinal));
  race(ordinal, place_of_default(), all_that_is_lent);
  if (run_ > 1) once_seconds_ = now() - began_at;
}

// In this context.
bool ByTime::is_fabric_open() const {
  for (std::size_t i = 0; i < record_.candidates(); ++i) {
    const bool is_over_fabric = alternatives_[i].choice.transport == Transport::fabric;
    if (is_over_fabric && record_.calls_of(static_cast<int>(i)) > 0) return true;
  }
  return false;
}

// Where messages can go over the MPI, too, nothing else opens the fabric.
void ByTime::expect_set_up() {
  constexpr double seconds_to_open_fabric = 1e-2;  // libfabric looks for providers, and connections come up
  const bool is_needed = shape_.transports == Transports::either && !is_fabric_open();
  for (Alternative& each : alternatives_) {
    const bool is_over_fabric = each.choice.transport == Transport::fabric;
    each.estimate.set_up_seconds = is_needed && is_over_fabric ? seconds_to_open_fabric : 0;
  }
}

void ByTime::race(std::uint64_t ordinal, int first, double remaining) {
  expect_set_up();
  auto tuner = tuner_for(settings_, alternatives_,
                         {.first = first,
                          .calls_overlap = calls_overlap_,
                          .room = remaining,
                          .run = static_cast<double>(run_),
                          .calls_before = static_cast<double>(ordinal)});
  const tuning::Plan& plan = tuner->plan();
  if (plan.permanently) {
    phase_ = Settled{std::move(tuner)};
    return;
  }
  Racing racing{std::move(tuner), {}};
  racing.block.start(ordinal, plan.rest, plan.calls.size(), run_);
  phase_ = std::move(racing);
}

void ByTime::take_means(Racing& racing) {
  Block& block = racing.block;
  const tuning::Plan& plan = racing.tuner->plan();
  // The ranks have just met: in the first call nobody is late. But what was tried there counts as tried.
  const bool begins_with_incumbent = plan.calls.size() > 1 && plan.calls.front() == plan.incumbent;
  if (arranger_ != nullptr && plan.rest == 0 && begins_with_incumbent) block.numbers.times()[0] = 0;
  const std::span<const double> seconds = block.numbers.times().first(plan.calls.size());
  const auto [state, learnt, overhead, once] = block.numbers.head();
  const CallsOfBlock calls{.begin = block.begin, .end = block.end, .run = block.run};
  const bool is_news = tries_another(plan);
  record_.note_block(plan, calls, seconds);
  if (settings_.keeps_log) record_.log_block(plan, calls, seconds, {overhead, once});
  const auto run = static_cast<double>(block.run);
  racing.tuner->learn({.calls = seconds, .overhead = overhead / run, .once = once / run});
  if (is_news) remember();
  if (!plan.permanently) return block.start(block.end, plan.rest, plan.calls.size(), run_);
  phase_ = Settled{std::move(racing.tuner)};
}

// The first placement brings new candidates, and is lent as much as the start; later ones have what is left of that.
void ByTime::on(const Rearranged& rearranged) {
  if (std::holds_alternative<Aborted>(phase_)) return;
  const bool are_first = std::exchange(arranger_, rearranged.arranger) == nullptr;
  const tuning::Tuner* const known = tuner();
  if (known == nullptr) return;  // the search is yet to come, or there is nothing to choose from
  const int first = known->plan().incumbent;
  const double remaining = are_first ? all_that_is_lent : known->room();
  look_at_arrivals(opinions(*known));
  record_.extend(alternatives_.size());
  race(rearranged.ordinal, first, remaining);
}

// What was measured since ranks arrive late stays, but of choices by arrival: that was of another arrangement.
void ByTime::look_at_arrivals(const std::vector<KnownChoice>& known) {
  add_known(known, alternatives_);
  add_by_arrival(*arranger_, alternatives_);
  expect_by_arrival(*arranger_, alternatives_, [&](const Choice& choice) {
    return std::ranges::find(known, choice, &KnownChoice::choice) != known.end();
  });
}

std::vector<KnownChoice> ByTime::opinions(const tuning::Tuner& tuner) const {
  std::vector<KnownChoice> known;
  for (std::size_t i = 0; i < alternatives_.size(); ++i) {
    const tuning::Opinion opinion = tuner.opinion(static_cast<int>(i));
    if (opinion.seconds > 0 && !alternatives_[i].choice.by_arrival)
      known.push_back({alternatives_[i].choice, tuning::log_of(opinion.seconds), opinion.sd});
  }
  return known;
}

bool ByTime::tries_another(const tuning::Plan& plan) const {
  return std::ranges::any_of(plan.calls, [this](int candidate) { return record_.timed_of(candidate) == 0; });
}

// Not what was measured of ranks that arrive so late.
void ByTime::remember() {
  const tuning::Tuner* const known = tuner();
  if (memory_ == nullptr || known == nullptr || shape_.placement == nullptr || arranger_ != nullptr) return;
  try {
    ContextMemory learnt = what_was_learnt(problem_, alternatives_, *known, start_.known, record_.calls());
    if (learnt.known_algorithms.size() <= 1) return;
    for (std::size_t i = 0; i < alternatives_.size(); ++i) {
      const SampledTimes& times = record_.times_of(static_cast<int>(i));
      if (auto observed = what_was_observed(alternatives_[i].choice, times)) learnt.observed.push_back(*observed);
    }
    memory_->learn(*shape_.placement, std::move(learnt));
  } catch (const std::bad_alloc&) {
    // What is learnt is a help, no more.
  }
}

// The story.

int ByTime::place_of_default() const {
  const auto found = std::ranges::find(alternatives_, start_.baseline, &Alternative::choice);
  return found != alternatives_.end() ? static_cast<int>(found - alternatives_.begin()) : 0;
}

const char* ByTime::phase_in_words() const {
  struct Words {
    const char* operator()(const Measuring& /*phase*/) const { return "before"; }
    const char* operator()(const AskingKin& /*phase*/) const { return "before"; }
    const char* operator()(const BeforeSearch& /*phase*/) const { return "before"; }
    const char* operator()(const Searching& /*phase*/) const { return "before"; }
    const char* operator()(const Alone& /*phase*/) const { return "for ever"; }
    const char* operator()(const Racing& /*phase*/) const { return "racing"; }
    const char* operator()(const Settled& /*phase*/) const { return "for ever"; }
    const char* operator()(const Aborted& /*phase*/) const { return "given up"; }
  };
  return std::visit(Words{}, phase_);
}

std::optional<ContextStory> ByTime::story(std::uint64_t calls) const {
  const tuning::Tuner* const known = tuner();
  ContextStory story{.key = context_of(problem_),
                     .ranks = shape_.size,
                     .policy = policy_words[static_cast<std::size_t>(settings_.policy)],
                     .start = !start_.known.empty()       ? "memory"
                              : knows_kin_                ? "other sizes"
                              : shape_.network != nullptr ? "estimate"
                                                          : "cold",
                     .state = phase_in_words(),
                     .calls = calls,
                     .first = place_of_default(),
                     .incumbent = known != nullptr ? known->plan().incumbent : -1,
                     .bound_seconds = network_bound_seconds(problem_, shape_),
                     .agreements = record_.agreements(),
                     .agreement_seconds = record_.agreement_seconds(),
                     .waiting_seconds = record_.waiting_seconds(),
                     .blocks = record_.blocks()};
  if (known == nullptr) return story;
  add_candidates(story, *known);
  // Those of the block that goes on.
  story.candidates[tuning::index_of(story.incumbent)].calls += static_cast<double>(calls) - record_.calls();
  return story;
}

void ByTime::add_candidates(ContextStory& story, const tuning::Tuner& tuner) const {
  const auto log_estimate = [](const Alternative& one) { return one.estimate.log_seconds; };
  const double best = log_estimate(*std::ranges::min_element(alternatives_, {}, log_estimate));
  for (std::size_t i = 0; i < alternatives_.size(); ++i) {
    const tuning::Opinion opinion = tuner.opinion(static_cast<int>(i));
    story.candidates.push_back({.choice = alternatives_[i].choice,
                                .estimate = alternatives_[i].estimate,
                                .estimated_times_best = tuning::exp_of(log_estimate(alternatives_[i]) - best),
                                .calls = record_.calls_of(static_cast<int>(i)),
                                .timed = record_.timed_of(static_cast<int>(i)),
                                .seconds = opinion.seconds,
                                .sd = opinion.sd});
  }
}

}  // namespace espalier
