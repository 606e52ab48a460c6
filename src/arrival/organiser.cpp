// SPDX-License-Identifier: Apache-2.0
#include "arrival/organiser.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrival/wave/fit.hpp"

namespace espalier::arrival {

namespace {

constexpr std::size_t calls_for_fit = 3;
// Of the time in calls that being told of arrangements may take.
constexpr double share_beside = .005;
constexpr double max_growth = 2;  // of what it is thought to take, by one measurement
// At first more, if a single time takes no more than so much of a call, where nobody has asked for it: after so many
// times half as often.
constexpr double share_at_first = .25, share_at_first_if_asked = 1;
constexpr int calls_at_first = 6, calls_at_each_pace = 2;
// If ranks do not tell, or so late that it is of no use, it asks less and less.
constexpr int calls_in_vain = 32;
constexpr double looks_per_call = 1.0 / 64;
// After so many calls that changed nothing less and less is spent.
constexpr int patience_calls = 64;

// Every wait that was measured has a transfer in it.
constexpr Negligible negligible = {.share = .1};

// What comes before the arrival times in orders by `order`.
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

Organiser::Organiser(const PlaceTree& tree, const Transfer& like, Method method, bool is_elsewhere)
    : tree_(tree), like_(like), method_(method), is_elsewhere_(is_elsewhere) {
  const auto size = static_cast<std::size_t>(tree.size());
  for (Told& told : told_) {
    told.has_told.resize(size);
    for (auto* const numbers : {&told.call.arrivals, &told.call.left, &told.call.waited}) numbers->resize(size);
  }
}

// Notes of a call that was given up for a later one come to nothing.
void Organiser::hear(Rank from, std::uint64_t call, const Heard& heard) {
  Told& told = place_for(call);
  if (call < learnt_before_ || call < told.call.number) return;
  if (call > told.call.number || told.count == 0) {
    told.call.number = call;
    told.count = 0;
    told.taken = 0;
    std::ranges::fill(told.has_told, false);
  }
  const auto rank = static_cast<std::size_t>(from);
  if (rank >= told.has_told.size() || told.has_told[rank]) return;
  told.has_told[rank] = true;
  ++told.count;
  told.call.arrivals[rank] = heard.begun;
  told.call.left[rank] = heard.begun + heard.taken;
  told.call.waited[rank] = heard.waited;
  told.taken += heard.taken;
  if (from == tree_.root()) told.beside = heard.beside;
}

// Where it lies already, or else what is empty, or the oldest.
Organiser::Told& Organiser::place_for(std::uint64_t call) {
  const auto worth = [&](const Told& told) {
    const bool is_it = told.count > 0 && told.call.number == call;
    return std::tuple(!is_it, told.count > 0, told.call.number);
  };
  return *std::ranges::min_element(told_, {}, worth);
}

bool Organiser::waits_for(std::uint64_t call) const {
  const bool has_heard = call < learnt_before_ || std::ranges::any_of(told_, [&](const Told& told) {
                           return told.call.number == call && told.count == tree_.size();
                         });
  return learnt_ < calls_at_first && !has_heard;
}

bool Organiser::decide() {
  bool moved = false;
  if (++vain_ % calls_in_vain == 0) period_ = std::min(2 * period_, static_cast<std::uint64_t>(max_period));
  for (;;) {
    Told* next = nullptr;
    for (Told& told : told_) {
      const bool is_complete = told.count == tree_.size();
      if (is_complete && (next == nullptr || told.call.number < next->call.number)) next = &told;
    }
    if (next == nullptr) return moved;
    set_clocks_right(tree_, next->call);
    moved = learn(*next) || moved;
    learnt_before_ = next->call.number + 1;
    next->count = 0;
    for (Told& told : told_) {
      if (told.call.number < learnt_before_) told.count = 0;
    }
  }
}

bool Organiser::learn(const Told& told) {
  ++learnt_;
  vain_ = 0;
  if (orders_.empty()) before_ = told.call;
  latest_ = told.call;
  const bool moved = method_ == Method::order ? learn_by_order(told) : learn_by_swap(told);
  quiet_ = moved ? 0 : quiet_ + 1;
  look_closely_if_surprised(moved);
  find_period(told);
  return moved;
}

// If ranks come otherwise than they did, that is seen soon, or it was nothing. What comes of it gives the look back.
void Organiser::look_closely_if_surprised(bool moved) {
  ++pace_;
  looks_ = moved ? max_looks : std::min(max_looks, looks_ + looks_per_call);
  if (order_ == nullptr || !order_->is_surprised() || pace_ < calls_at_first || looks_ < 1) return;
  --looks_;
  pace_ = quiet_ = 0;
}

// A single one that took long says little.
void Organiser::find_period(const Told& told) {
  const double mean = told.taken / static_cast<double>(tree_.size());
  beside_ = learnt_ == 1 ? told.beside : std::min(told.beside, max_growth * beside_);
  const double patience = std::max(1.0, static_cast<double>(quiet_) / patience_calls);
  double least = patience * beside_ / (share_beside * std::max(mean, 1e-9));
  const double at_first = is_elsewhere_ ? share_at_first : share_at_first_if_asked;
  if (beside_ < at_first * mean)
    least = std::min(least, std::exp2(std::max(0, pace_ - calls_at_first) / calls_at_each_pace));
  period_ = static_cast<std::uint64_t>(std::clamp(std::ceil(least), 1.0, max_period));
}

// What a transfer takes is found first; then what was measured meanwhile is learnt from.
bool Organiser::begin_order(const Told& told) {
  const CallOfAll& call = told.call;
  fitted_.push_back(is_elsewhere_ ? transfer_of_another_way(tree_, call.arrivals, call.left, like_)
                                  : fitted_transfer(tree_, Arrangement(tree_.size()), call.arrivals, call.left, like_));
  first_calls_.push_back(call);
  if (fitted_.size() < calls_for_fit) return false;
  order_ = std::make_unique<Order>(tree_, middle_of(fitted_));
  bool moved = false;
  for (const CallOfAll& one : first_calls_)
    moved = order_->learn(one.arrivals, {}, is_elsewhere_ ? std::nullopt : std::optional(taken_in(one))) || moved;
  return moved;
}

// Not from calls before the last orders were heard.
bool Organiser::learn_by_order(const Told& told) {
  if (!are_in_force_ || told.call.number < in_force_from_) return false;
  const Taken taken = taken_in(told.call);
  const auto elsewhere = is_elsewhere_ ? std::optional(taken) : std::nullopt;
  const auto along = is_elsewhere_ ? std::nullopt : std::optional(taken);
  const bool has_news = order_ == nullptr ? begin_order(told) : order_->learn(told.call.arrivals, elsewhere, along);
  if (!has_news) return false;
  are_in_force_ = false;
  if (order_->has_undone()) {
    orders_ = {undo_orders};
    return true;
  }
  orders_ = {order_->transfer().seconds, order_->transfer().busy_seconds};
  orders_.insert(orders_.end(), order_->made_for().begin(), order_->made_for().end());
  return true;
}

void Organiser::take_effect(std::uint64_t call) {
  are_in_force_ = true;
  in_force_from_ = call;
}

bool Organiser::learn_by_swap(const Told& told) {
  if (swap_ == nullptr) swap_ = std::make_unique<ProfiledSwap>(tree_, SwapSettings{.negligible = negligible});
  if (!swap_->learn(told.call.waited)) return false;
  orders_.assign(swap_->arrangement().ranks().begin(), swap_->arrangement().ranks().end());
  return true;
}

Expected expected_from(std::span<const double> orders, const Transfer& like) {
  if (orders.size() <= transfer_numbers) throw std::invalid_argument("orders too short");
  Expected expected{like, {orders.begin() + transfer_numbers, orders.end()}};
  expected.transfer.seconds = orders[0];
  expected.transfer.busy_seconds = orders[1];
  return expected;
}

namespace {

Arrangement arrangement_of(std::span<const double> ranks, Rank size) {
  std::vector<Rank> by_place;
  for (const double rank : ranks) {
    if (!(rank >= 0 && rank < size)) throw std::invalid_argument("orders name no rank");
    by_place.push_back(static_cast<Rank>(rank));
  }
  return Arrangement(std::move(by_place));
}

}  // namespace

Arrangement arrangement_from(std::span<const double> orders, Method method, const PlaceTree& tree, const Transfer& like,
                             const Arrangement& present) {
  const auto size = static_cast<std::size_t>(tree.size());
  const std::size_t needed = size + (method == Method::order ? transfer_numbers : 0);
  if (orders.size() < needed) throw std::invalid_argument("orders too short");
  if (method == Method::swap) return arrangement_of(orders.first(size), tree.size());
  const Expected expected = expected_from(orders.first(needed), like);
  return proposal(tree, find_tails(tree, expected.transfer), expected.transfer, expected.arrivals, present);
}

}  // namespace espalier::arrival
