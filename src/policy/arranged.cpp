// SPDX-License-Identifier: Apache-2.0
#include "policy/arranged.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "algorithms/algorithm.hpp"
#include "core/clock.hpp"
#include "policy/forced_calls.hpp"
#include "policy/measured/shared_numbers.hpp"
#include "policy/place_trees.hpp"

namespace espalier {

namespace {

using arrival::Transfer;

// Messages so short are there when a late rank arrives: every MPI sends them at once.
constexpr std::size_t eager_bytes = 4096;
// Beyond this many sampling points the ranks' clocks may have drifted apart.
constexpr int max_clock_age = 1024;
// No call takes less.
constexpr double least_seconds = 1e-9;

Transfer transfer_like(const Problem& problem, const Choice& choice) {
  const std::size_t segment = choice.cut.segment_bytes;
  const std::size_t segments = segment == 0 ? 1 : (problem.bytes() + segment - 1) / segment;
  return {.segments = static_cast<int>(std::max<std::size_t>(1, segments)),
          .sending = problem.bytes() <= eager_bytes ? arrival::Sending::eager : arrival::Sending::nonblocking};
}

// As long as it is not known who is late, the root sends to so few ranks itself: then none of them waits for another.
constexpr Rank max_reported_directly = 64;

// By which the root judges as long as it is not known what else there is.
Choice plain_tree(Collective collective) {
  switch (collective) {
    case Collective::reduce: return {.algorithm = find_algorithm(collective, "binomial")};
    case Collective::allreduce: return {.algorithm = find_algorithm(collective, "tree")};
    default: return bcast_of_numbers("knomial");
  }
}

// Whatever was forced.
class Permanent final : public Policy {
 public:
  explicit Permanent(const Choice& choice) : choice_(choice) {}
  [[nodiscard]] RunCalls run(std::uint64_t /*ordinal*/) override { return {.choice = choice_}; }

 private:
  const Choice choice_;
};

}  // namespace

bool Arranged::is_for(Collective collective) {
  return collective == Collective::bcast || collective == Collective::reduce || collective == Collective::allreduce;
}

Arranged::Arranged(const Problem& problem, const Shape& shape, Selection inner, bool at_once)
    : problem_(problem),
      shape_(shape),
      first_(inner.is_permanent() ? inner.choice : plain_tree(problem.collective)),
      inner_(inner.is_permanent() ? std::make_unique<Permanent>(inner.choice) : std::move(inner.policy)),
      at_once_(at_once),
      sampling_point_(at_once ? 1 : never) {}

Arranged::ArrangedTree& Arranged::first_tree() { return tree_for(first_, transfer_like(problem_, first_)); }

bool Arranged::is_first(const ArrangedTree& tree) const {
  return tree.algorithm == first_.algorithm && tree.radix == first_.radix &&
         tree.like.segments == transfer_like(problem_, first_).segments;
}

Arranged::ArrangedTree& Arranged::tree_for(const Choice& choice, const Transfer& like) {
  for (const auto& tree : trees_) {
    if (tree->algorithm == choice.algorithm && tree->radix == choice.radix && tree->like.segments == like.segments)
      return *tree;
  }
  trees_.push_back(std::make_unique<ArrangedTree>(
      ArrangedTree{choice.algorithm, choice.radix,
                   place_tree_of(*choice.algorithm, shape_, problem_.root, choice.radix), like, nullptr}));
  for (const auto* const placement : {&placement_before_, &placement_}) arrange(*trees_.back(), *placement);
  return *trees_.back();
}

void Arranged::arrange(ArrangedTree& tree, const std::vector<double>& placement) const {
  if (placement.empty()) return;
  const Arrangement in_rank_order(shape_.size);
  const Arrangement& present = tree.arrangement != nullptr ? *tree.arrangement : in_rank_order;
  Arrangement ordered = arrangement_from(placement, tree.places, tree.like, present);
  tree.before = std::exchange(
      tree.arrangement, ordered.is_baseline() ? nullptr : std::make_shared<const Arrangement>(std::move(ordered)));
}

// Once there is a placement.
std::optional<double> Arranged::expected_seconds(const Choice& choice) {
  const bool is_one_tree = !choice.native() && choice.algorithm->tree != nullptr && choice.leaders == 0;
  if (!is_one_tree || placement_.empty()) return std::nullopt;
  const ArrangedTree& tree = tree_for(choice, transfer_like(problem_, choice));
  const arrival::Expected expected = arrival::expected_from(placement_, tree.like);
  const bool is_arranged = choice.by_arrival && tree.arrangement != nullptr;
  const Arrangement& places = is_arranged ? *tree.arrangement : Arrangement(shape_.size);
  return std::max(least_seconds, play(tree.places, places, expected.arrivals, expected.transfer).mean);
}

RunCalls Arranged::run(std::uint64_t ordinal) {
  if (inner_calls_left_ == 0) {
    inner_run_ = inner_->run(ordinal);
    inner_calls_left_ = inner_run_.calls == 0 ? never : inner_run_.calls;
  }
  if (ordinal >= sampling_point_)
    sampling_point_ = ordinal + 1;  // nobody could speak: a call in which not all ranks take part at once
  const bool is_reported = ordinal == reported_call_;
  RunCalls run = inner_run_;
  run.calls = std::min(inner_calls_left_, is_reported ? 1 : sampling_point_ - ordinal);
  run.is_timed = is_reported || inner_run_.is_timed;
  inner_calls_left_ -= run.calls;
  if (run.choice.by_arrival) {
    run.choice.arrangement = tree_for(run.choice, transfer_like(problem_, run.choice)).arrangement;
    run.choice.by_arrival = false;
  }
  return run;
}

// What is exchanged, by stages; on(NumbersOfRoot) goes on from one to the next:
//
//   sums --(a sampling point)--> notes --(the root has read them)--> outline --(the root rearranges)--> placement
//    |                                                                  |                                   |
//    +------------------------------------> done <---------------------+-----------------------------------+
std::optional<PolicyExchange> Arranged::exchange(std::uint64_t ordinal, Asked asked) {
  if (asked == Asked::together) stage_ = ExchangeStage::sums;
  if (stage_ == ExchangeStage::sums) {
    if (auto sums = sums_before(ordinal, asked)) return sums;
    stage_ = ordinal == sampling_point_ ? ExchangeStage::notes : ExchangeStage::done;
    if (stage_ == ExchangeStage::done) return std::nullopt;
    first_asked_at_ = asked_at_ = now();
    return ReadNotes{};
  }
  if (stage_ == ExchangeStage::notes && waits_for_notes()) {
    asked_at_ = now();  // as if the root arrived so much later: that is what the others see of it
    if (may_wait_) return ReadNotes{.waits = true};
  }
  if (stage_ == ExchangeStage::notes) stage_ = ExchangeStage::outline;
  if (stage_ == ExchangeStage::outline) return outline();
  return stage_ == ExchangeStage::placement ? std::optional<PolicyExchange>(placement()) : std::nullopt;
}

// The clocks begin when the ranks meet anyway, or else they meet for that.
std::optional<PolicyExchange> Arranged::sums_before(std::uint64_t ordinal, Asked asked) {
  shared_before_ = ordinal;
  meets_for_clock_ = sampling_point_ != never && !has_clock_;
  if (meets_for_clock_) return SumOverRanks{{&clock_number_, 1}};
  if (inner_calls_left_ > 0) return std::nullopt;
  std::optional<PolicyExchange> sums = inner_->exchange(ordinal, asked);
  if (sums && std::holds_alternative<Diverged>(*sums)) sampling_point_ = reported_call_ = never;
  return sums;
}

bool Arranged::waits_for_notes() const {
  return organiser_ != nullptr && reported_call_ != never && organiser_->waits_for(reported_call_);
}

ReceiveFromRoot Arranged::outline() {
  if (organiser_ != nullptr && organiser_->decide()) is_unsent_ = true;
  outline_ = {.has_placement = is_unsent_ ? 1.0 : 0.0,
              .period = organiser_ != nullptr ? static_cast<double>(organiser_->period()) : 1.0,
              .sampling_point = static_cast<double>(sampling_point_)};
  return {numbers_of(outline_), broadcast_from_root()};
}

ReceiveFromRoot Arranged::placement() {
  if (organiser_ != nullptr) announced_ = organiser_->placement();
  announced_.resize(arrival::max_placement_numbers(shape_.size));
  return {announced_, broadcast_from_root()};
}

bool Arranged::reports_directly() const { return placement_.empty() && shape_.size <= max_reported_directly; }

// On each step down the tree words are passed on before the message itself, which takes as long as at the root, or
// less.
int Arranged::steps_of_words() const {
  return reports_directly() ? 1 : 1 + std::bit_width(static_cast<unsigned>(shape_.size - 1));
}

Choice Arranged::broadcast_from_root() {
  if (reports_directly()) return bcast_of_numbers("linear");
  Choice broadcast = bcast_of_numbers("knomial");
  if (!placement_.empty())
    broadcast.arrangement = tree_for(broadcast, {.sending = arrival::Sending::eager}).arrangement;
  return broadcast;
}

// The results.

std::optional<CallReport> Arranged::take(const PolicyResult& result) {
  return std::visit([this](const auto& one) { return on(one); }, result);
}

std::optional<CallReport> Arranged::on(const Sums& sums) {
  begin_clock();
  if (meets_for_clock_) return std::nullopt;
  inner_->take(sums);
  if (sampling_point_ == never) sampling_point_ = shared_before_ + 1;
  return std::nullopt;
}

void Arranged::begin_clock() {
  clock_begin_ = now();
  clock_age_ = 0;
  has_clock_ = true;
}

std::optional<CallReport> Arranged::on(const NotesRead& read) {
  may_wait_ = read.may_wait;
  return std::nullopt;
}

std::optional<CallReport> Arranged::on(const NumbersOfRoot& /*numbers*/) {
  if (stage_ == ExchangeStage::outline) {
    take_outline();
    stage_ = outline_.has_placement != 0 ? ExchangeStage::placement : ExchangeStage::done;
  } else {
    take_placement();
    stage_ = ExchangeStage::done;
  }
  if (stage_ == ExchangeStage::done) begin_period();
  return std::nullopt;
}

// The root speaks of another call where this rank has refused one that the others made: from there on nothing fits.
void Arranged::take_outline() {
  if (outline_.sampling_point != static_cast<double>(sampling_point_))
    throw std::runtime_error("the ranks are not in the same call");
  next_period_ = static_cast<std::uint64_t>(std::clamp(outline_.period, 1.0, arrival::max_period));
}

// The tree by which the root judges is there before them on all ranks, as it is on the root.
void Arranged::take_placement() {
  (void)first_tree();
  if (announced_.front() == arrival::undo_placement) {
    placement_ = std::exchange(placement_before_, {});
    for (const auto& tree : trees_) tree->arrangement = std::exchange(tree->before, nullptr);
  } else {
    placement_before_ = std::exchange(placement_, announced_);
    for (const auto& tree : trees_) arrange(*tree, placement_);
  }
  if (organiser_ != nullptr) organiser_->take_effect(sampling_point_);
  is_unsent_ = false;
  rearranged_at_.push_back(sampling_point_);
  inner_->take(Rearranged{sampling_point_, this});
  inner_calls_left_ = 0;
}

void Arranged::begin_period() {
  reported_call_ = sampling_point_;
  sampling_point_ += next_period_;
  if (++clock_age_ > max_clock_age) has_clock_ = false;
  overhead_ = now() - asked_at_;
}

std::optional<CallReport> Arranged::on(const CallEnded& ended) {
  if (inner_run_.is_timed) inner_->take(ended);
  if (ended.ordinal != reported_call_) return std::nullopt;
  const double arrived = ended.times.arrived + (asked_at_ - first_asked_at_);
  return CallReport{.arrived = arrived - clock_begin_,
                    .taken = ended.times.left - arrived,
                    .waited = ended.times.waited,
                    .informed = overhead_};
}

std::optional<CallReport> Arranged::on(const NoteReceived& note) {
  if (organiser_ == nullptr) {
    const ArrangedTree& first = first_tree();
    organiser_ = std::make_unique<arrival::Organiser>(first.places, first.like, !at_once_);
  }
  const CallReport& report = note.report;
  const bool is_of_root = note.from == first_tree().places.root();
  organiser_->receive(note.from, note.ordinal,
                      {.begun = report.arrived,
                       .taken = report.taken,
                       .waited = report.waited,
                       .informed = is_of_root ? steps_of_words() * report.informed : report.informed});
  return std::nullopt;
}

// Nobody arranges what is arranged here.
std::optional<CallReport> Arranged::on(const Rearranged& /*rearranged*/) { return std::nullopt; }

// Each report was expected.
std::optional<CallReport> Arranged::on(const ReportsEnd& /*end*/) { return std::nullopt; }

std::optional<CallReport> Arranged::on(const Finished& finished) { return inner_->take(finished); }

std::optional<ContextStory> Arranged::story(std::uint64_t calls) const {
  std::optional<ContextStory> story = inner_->story(calls);
  if (rearranged_at_.empty()) return story;
  if (!story) story = story_of_forced(problem_, shape_, first_, calls);
  ArrivalStory& arrivals = story->arrivals.emplace();
  arrivals.rearranged_at = rearranged_at_;
  const auto first = std::ranges::find_if(trees_, [&](const auto& tree) { return is_first(*tree); });
  const bool is_arranged = first != trees_.end() && (*first)->arrangement != nullptr;
  arrivals.ranks = is_arranged ? (*first)->arrangement->ranks() : Arrangement(shape_.size).ranks();
  if (organiser_ == nullptr) return story;
  arrivals.transfer_seconds = organiser_->transfer_seconds();
  for (const auto& [from, to] :
       {std::pair(&organiser_->before(), &arrivals.before), std::pair(&organiser_->latest(), &arrivals.latest)}) {
    *to = {.call = from->number, .arrived = from->arrivals, .left = from->left, .waited = from->waited};
  }
  return story;
}

}  // namespace espalier
