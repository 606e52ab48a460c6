// SPDX-License-Identifier: Apache-2.0
#include "policy/by_swaps.hpp"

#include <algorithm>
#include <stdexcept>

#include "algorithms/algorithm.hpp"
#include "policy/forced_calls.hpp"
#include "policy/measured/shared_numbers.hpp"
#include "policy/place_trees.hpp"

namespace espalier {

namespace {

// Of the broadcasts between two at which the root speaks, only the last ones are reported, at most this many: what
// comes earlier it would read no sooner, and it would only fill the memory of the root's MPI.
constexpr std::uint64_t max_reported_calls = 16;

}  // namespace

BySwaps::BySwaps(const Problem& problem, const Shape& shape, const Choice& choice,
                 const arrival::SwapSettings& settings)
    : problem_(problem),
      shape_(shape),
      settings_(settings),
      tree_(place_tree_of(*choice.algorithm, shape, problem.root, choice.radix)),
      choice_(choice),
      look_(static_cast<std::uint64_t>(settings.first_interval)),
      profile_(settings.profile) {}

RunCalls BySwaps::run(std::uint64_t ordinal) {
  if (ordinal >= look_) look_ = ordinal + 1;  // nobody could speak: a call in which not all ranks take part at once
  return {.choice = choice_, .calls = look_ - ordinal, .is_timed = true};
}

std::optional<PolicyExchange> BySwaps::exchange(std::uint64_t ordinal, Asked asked) {
  if (ordinal != look_) return std::nullopt;
  if (asked == Asked::together) {
    stage_ = SwapStage::reports;
    return ReadNotes{};
  }
  if (stage_ == SwapStage::reports) {
    stage_ = SwapStage::announcement;
    return announce();
  }
  return std::nullopt;
}

// Only the root has an organiser, and only what it says counts.
ReceiveFromRoot BySwaps::announce() {
  next_ = {.look = static_cast<double>(look_)};
  if (organiser_ != nullptr) {
    if (const auto swap = organiser_->look()) next_.a = swap->a, next_.b = swap->b;
    next_.period = organiser_->period();
  }
  Choice broadcast = bcast_of_numbers("knomial");
  broadcast.arrangement = choice_.arrangement;
  return {numbers_of(next_), broadcast};
}

std::optional<CallReport> BySwaps::take(const PolicyResult& result) {
  return std::visit([this](const auto& one) { return on(one); }, result);
}

// The root speaks of another call where this rank has refused one that the others made: from there on nothing fits.
std::optional<CallReport> BySwaps::on(const NumbersOfRoot& /*numbers*/) {
  if (next_.look != static_cast<double>(look_)) throw std::runtime_error("the ranks are not in the same call");
  if (next_.a != no_rank) {
    exchange_places(static_cast<Rank>(next_.a), static_cast<Rank>(next_.b));
    rearranged_at_.push_back(look_);
    profile_.restart();
  }
  look_ += static_cast<std::uint64_t>(std::clamp(next_.period, 1.0, static_cast<double>(max_swap_interval)));
  stage_ = SwapStage::done;
  return std::nullopt;
}

void BySwaps::exchange_places(Rank a, Rank b) {
  Arrangement arrangement = choice_.arrangement != nullptr ? *choice_.arrangement : Arrangement(shape_.size);
  arrangement.exchange_places(a, b);
  choice_.arrangement =
      arrangement.is_baseline() ? nullptr : std::make_shared<const Arrangement>(std::move(arrangement));
}

bool BySwaps::is_read_soon(std::uint64_t call) const { return look_ - call <= max_reported_calls; }

// The first report says that others follow; it is the root's, too, who learns by it that there will be any.
std::optional<CallReport> BySwaps::on(const CallEnded& ended) {
  profile_.note(ended.times.waited);
  const bool has_news = is_read_soon(ended.ordinal) && profile_.news().has_value();
  if (has_announced_ && !has_news) return std::nullopt;
  has_announced_ = true;
  return CallReport{.waited = profile_.reported(), .others_follow = true};
}

std::optional<CallReport> BySwaps::on(const ReportsEnd& /*end*/) {
  if (!has_announced_) return std::nullopt;
  has_announced_ = false;
  return CallReport{.waited = profile_.reported()};
}

std::optional<CallReport> BySwaps::on(const NoteReceived& note) {
  if (organiser_ == nullptr) organiser_ = std::make_unique<arrival::SwapOrganiser>(tree_, settings_);
  organiser_->receive(note.from, note.report.waited);
  return std::nullopt;
}

std::optional<ContextStory> BySwaps::story(std::uint64_t calls) const {
  if (rearranged_at_.empty() && organiser_ == nullptr) return std::nullopt;
  ContextStory story = story_of_forced(problem_, shape_, choice_, calls);
  if (rearranged_at_.empty()) return story;
  story.arrivals = {
      .rearranged_at = rearranged_at_,
      .ranks = choice_.arrangement != nullptr ? choice_.arrangement->ranks() : Arrangement(shape_.size).ranks(),
      .reports = organiser_ != nullptr ? organiser_->reports() : 0};
  return story;
}

}  // namespace espalier
