// SPDX-License-Identifier: Apache-2.0
#include "arrival/organiser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrival/wave/fit.hpp"

namespace espalier::arrival {

namespace {

constexpr std::size_t calls_for_fit = 3;
// Of the time in calls that being informed of arrangements may take.
constexpr double overhead_share = .005;
constexpr double max_growth = 2;  // of what it is thought to take, by one measurement
// At first more, if a single time takes no more than so much of a call, where nobody has asked for it: less often each
// time.
constexpr double share_at_first = .25, share_at_first_if_asked = 1;
constexpr int calls_at_first = 6, calls_at_each_pace = 2;
// If ranks do not tell, or so late that it is of no use, it asks less and less.
constexpr int fruitless_calls = 32;
constexpr double looks_per_call = 1.0 / 64;
// After this many calls that changed nothing less and less is spent.
constexpr int patience_calls = 64;

// What comes before the arrival times in a placement.
constexpr std::size_t transfer_numbers = 2;

// Nobody leaves before that is there for which all wait: who seems to has a clock that began late.
void set_clocks_right(const PlaceTree& tree, CallOfAll& call) {
  if (tree.flow() == Flow::up) return;
  const double first = tree.flow() == Flow::down ? call.arrivals[static_cast<std::size_t>(tree.root())]
                                                 : std::ranges::max(call.arrivals);
  for (std::size_t rank = 0; rank < call.left.size(); ++rank) {
    const double late = std::max(0.0, first - call.left[rank]);
    call.arrivals[rank] += late;
    call.left[rank] += late;
  }
}

Taken taken_in(const CallOfAll& call) {
  const auto sum = [](const std::vector<double>& numbers) { return std::reduce(numbers.begin(), numbers.end()); };
  return {.overall = std::ranges::max(call.left) - std::ranges::min(call.arrivals),
          .mean = (sum(call.left) - sum(call.arrivals)) / static_cast<double>(call.left.size())};
}

Transfer middle_of(std::vector<Transfer> transfers) {
  std::ranges::sort(transfers, {}, &Transfer::seconds);
  return transfers[transfers.size() / 2];
}

}  // namespace

Organiser::Organiser(const PlaceTree& tree, const Transfer& like, bool is_elsewhere)
    : tree_(tree), like_(like), is_elsewhere_(is_elsewhere) {
  const auto size = static_cast<std::size_t>(tree.size());
  for (ReportedCall& reported : reported_) {
    reported.has_reported.resize(size);
    for (auto* const numbers :
         {&reported.call.arrivals, &reported.call.left, &reported.call.waited, &reported.informed})
      numbers->resize(size);
  }
  least_waits_.assign(size, std::numeric_limits<double>::infinity());
}

// Notes of a call that was aborted for a later one come to nothing.
void Organiser::receive(Rank from, std::uint64_t call, const RankReport& report) {
  ReportedCall& reported = place_for(call);
  if (call < learnt_before_ || call < reported.call.number) return;
  if (call > reported.call.number || reported.count == 0) {
    reported.call.number = call;
    reported.count = 0;
    reported.taken = 0;
    std::ranges::fill(reported.has_reported, false);
  }
  const auto rank = static_cast<std::size_t>(from);
  if (rank >= reported.has_reported.size() || reported.has_reported[rank]) return;
  reported.has_reported[rank] = true;
  ++reported.count;
  reported.call.arrivals[rank] = report.begun;
  reported.call.left[rank] = report.begun + report.taken;
  reported.call.waited[rank] = report.waited;
  reported.taken += report.taken;
  reported.informed[rank] = report.informed;
}

// Where it lies already, or else what is empty, or the oldest.
Organiser::ReportedCall& Organiser::place_for(std::uint64_t call) {
  const auto worth = [&](const ReportedCall& reported) {
    const bool is_it = reported.count > 0 && reported.call.number == call;
    return std::tuple(!is_it, reported.count > 0, reported.call.number);
  };
  return *std::ranges::min_element(reported_, {}, worth);
}

bool Organiser::waits_for(std::uint64_t call) const {
  const bool has_received = call < learnt_before_ || std::ranges::any_of(reported_, [&](const ReportedCall& reported) {
                              return reported.call.number == call && reported.count == tree_.size();
                            });
  return learnt_ < calls_at_first && !has_received;
}

bool Organiser::decide() {
  bool moved = false;
  if (++empty_ % fruitless_calls == 0) period_ = std::min(2 * period_, static_cast<std::uint64_t>(max_period));
  for (;;) {
    ReportedCall* next = nullptr;
    for (ReportedCall& reported : reported_) {
      const bool is_complete = reported.count == tree_.size();
      if (is_complete && (next == nullptr || reported.call.number < next->call.number)) next = &reported;
    }
    if (next == nullptr) return moved;
    set_clocks_right(tree_, next->call);
    moved = learn(*next) || moved;
    learnt_before_ = next->call.number + 1;
    next->count = 0;
    for (ReportedCall& reported : reported_) {
      if (reported.call.number < learnt_before_) reported.count = 0;
    }
  }
}

bool Organiser::learn(const ReportedCall& reported) {
  ++learnt_;
  empty_ = 0;
  if (placement_.empty()) before_ = reported.call;
  latest_ = reported.call;
  const bool moved = learn_from(reported);
  quiet_ = moved ? 0 : quiet_ + 1;
  look_closely_if_surprised(moved);
  find_period(reported);
  return moved;
}

// If ranks arrive otherwise than they did, that is seen soon, or it was nothing. What comes of it gives the look back.
void Organiser::look_closely_if_surprised(bool moved) {
  ++pace_;
  looks_ = moved ? max_looks : std::min(max_looks, looks_ + looks_per_call);
  if (order_ == nullptr || !order_->is_surprised() || pace_ < calls_at_first || looks_ < 1) return;
  --looks_;
  pace_ = quiet_ = 0;
}

// Down a tree the message itself comes along it, right after. But where ranks have something to give, they begin as
// much later: over a WAN that is a good part of a call. As long as a root is late they would wait for it in any case,
// and a single wait that was long says little.
double Organiser::wait_for_words(const ReportedCall& reported) {
  if (tree_.flow() == Flow::down) return 0;
  const auto root = static_cast<std::size_t>(tree_.root());
  double longest = 0;
  for (std::size_t rank = 0; rank < least_waits_.size(); ++rank) {
    if (rank == root) continue;
    const double late = std::max(0.0, reported.call.arrivals[root] - reported.call.arrivals[rank]);
    least_waits_[rank] = std::min(least_waits_[rank], std::max(0.0, reported.informed[rank] - late));
    longest = std::max(longest, least_waits_[rank]);
  }
  return learnt_ < static_cast<int>(calls_for_fit) ? 0 : longest;
}

// A single one that took long says little.
void Organiser::find_period(const ReportedCall& reported) {
  const double mean = reported.taken / static_cast<double>(tree_.size());
  const double of_root = reported.informed[static_cast<std::size_t>(tree_.root())];
  overhead_ = learnt_ == 1 ? of_root : std::min(of_root, max_growth * overhead_);
  const double overhead = std::max(overhead_, wait_for_words(reported));
  const double patience = std::max(1.0, static_cast<double>(quiet_) / patience_calls);
  double least = patience * overhead / (overhead_share * std::max(mean, 1e-9));
  const double at_first = is_elsewhere_ ? share_at_first : share_at_first_if_asked;
  if (overhead < at_first * mean)
    least = std::min(least, std::exp2(std::max(0, pace_ - calls_at_first) / calls_at_each_pace));
  period_ = static_cast<std::uint64_t>(std::clamp(std::ceil(least), 1.0, max_period));
}

// What a transfer takes is found first; then what was measured meanwhile is learnt from.
bool Organiser::begin_order(const ReportedCall& reported) {
  const CallOfAll& call = reported.call;
  fitted_.push_back(is_elsewhere_ ? transfer_of_another_choice(tree_, call.arrivals, call.left, like_)
                                  : fitted_transfer(tree_, Arrangement(tree_.size()), call.arrivals, call.left, like_));
  first_calls_.push_back(call);
  if (fitted_.size() < calls_for_fit) return false;
  order_ = std::make_unique<Order>(tree_, middle_of(fitted_));
  bool moved = false;
  for (const CallOfAll& one : first_calls_)
    moved = order_->learn(one.arrivals, {}, is_elsewhere_ ? std::nullopt : std::optional(taken_in(one))) || moved;
  return moved;
}

// Not from calls before the last placement were received.
bool Organiser::learn_from(const ReportedCall& reported) {
  if (!are_in_force_ || reported.call.number < in_force_from_) return false;
  const Taken taken = taken_in(reported.call);
  const auto elsewhere = is_elsewhere_ ? std::optional(taken) : std::nullopt;
  const auto along = is_elsewhere_ ? std::nullopt : std::optional(taken);
  const bool has_news =
      order_ == nullptr ? begin_order(reported) : order_->learn(reported.call.arrivals, elsewhere, along);
  if (!has_news) return false;
  are_in_force_ = false;
  if (order_->has_undone()) {
    placement_ = {undo_placement};
    return true;
  }
  placement_ = {order_->transfer().seconds, order_->transfer().busy_seconds};
  placement_.insert(placement_.end(), order_->made_for().begin(), order_->made_for().end());
  return true;
}

void Organiser::take_effect(std::uint64_t call) {
  are_in_force_ = true;
  in_force_from_ = call;
}

Expected expected_from(std::span<const double> placement, const Transfer& like) {
  if (placement.size() <= transfer_numbers) throw std::invalid_argument("placement too short");
  Expected expected{like, {placement.begin() + transfer_numbers, placement.end()}};
  expected.transfer.seconds = placement[0];
  expected.transfer.busy_seconds = placement[1];
  return expected;
}

Arrangement arrangement_from(std::span<const double> placement, const PlaceTree& tree, const Transfer& like,
                             const Arrangement& present) {
  const std::size_t needed = static_cast<std::size_t>(tree.size()) + transfer_numbers;
  if (placement.size() < needed) throw std::invalid_argument("placement too short");
  const Expected expected = expected_from(placement.first(needed), like);
  return proposal(tree, find_tails(tree, expected.transfer), expected.transfer, expected.arrivals, present);
}

}  // namespace espalier::arrival
