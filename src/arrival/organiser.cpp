// SPDX-License-Identifier: Apache-2.0
#include "arrival/organiser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "arrival/fit.hpp"

namespace espalier::arrival {

namespace {

constexpr std::size_t broadcasts_for_fit = 3;
// Of the time in broadcasts that being told of arrangements may take.
constexpr double share_beside = .005;

// Every wait that was measured has a transfer in it.
constexpr Negligible negligible = {.share = .1};

// What comes before the arrival times in orders by `order`.
constexpr std::size_t transfer_numbers = 2;

Transfer middle_of(std::vector<Transfer> transfers) {
  std::ranges::sort(transfers, {}, &Transfer::seconds);
  return transfers[transfers.size() / 2];
}

}  // namespace

Organiser::Organiser(const PlaceTree& tree, const Transfer& like, Method method)
    : tree_(tree), like_(like), method_(method) {
  const auto size = static_cast<std::size_t>(tree.size());
  for (Told& told : told_) {
    told.has_told.resize(size);
    for (auto* const numbers : {&told.arrivals, &told.left, &told.waited}) numbers->resize(size);
  }
}

// Notes of a broadcast that was given up for a later one come to nothing.
void Organiser::hear(Rank from, std::uint64_t broadcast, const Heard& heard) {
  Told& told = told_[broadcast % max_told];
  if (broadcast < learnt_before_ || broadcast < told.broadcast) return;
  if (broadcast > told.broadcast || told.count == 0) {
    told.broadcast = broadcast;
    told.count = 0;
    told.taken = 0;
    told.beside = std::numeric_limits<double>::infinity();
    std::ranges::fill(told.has_told, false);
  }
  const auto rank = static_cast<std::size_t>(from);
  if (rank >= told.has_told.size() || told.has_told[rank]) return;
  told.has_told[rank] = true;
  ++told.count;
  told.arrivals[rank] = heard.begun;
  told.left[rank] = heard.begun + heard.taken;
  told.waited[rank] = heard.waited;
  told.taken += heard.taken;
  if (from != tree_.root()) told.beside = std::min(told.beside, heard.beside);
}

bool Organiser::decide() {
  bool moved = false;
  for (;;) {
    Told* next = nullptr;
    for (Told& told : told_) {
      const bool is_complete = told.count == tree_.size();
      if (is_complete && (next == nullptr || told.broadcast < next->broadcast)) next = &told;
    }
    if (next == nullptr) return moved;
    moved = learn(*next) || moved;
    learnt_before_ = next->broadcast + 1;
    next->count = 0;
    for (Told& told : told_) {
      if (told.broadcast < learnt_before_) told.count = 0;
    }
  }
}

bool Organiser::learn(const Told& told) {
  find_period(told);
  return method_ == Method::order ? learn_by_order(told) : learn_by_swap(told);
}

// The least that a rank waited for the word, once for each step down the tree: what it takes where nobody is late.
void Organiser::find_period(const Told& told) {
  int depth = 1;
  for (const Rank place : tree_.from_root()) depth = std::max(depth, tree_.at(place).depth);
  const double mean = told.taken / static_cast<double>(tree_.size());
  const double least = depth * told.beside / (share_beside * std::max(mean, 1e-9));
  period_ = static_cast<std::uint64_t>(std::clamp(std::ceil(least), 1.0, max_period));
}

// What a transfer takes is found first; then what was measured meanwhile is learnt from.
bool Organiser::begin_order(const Told& told) {
  fitted_.push_back(fitted_transfer(tree_, Arrangement(tree_.size()), told.arrivals, told.left, like_));
  first_arrivals_.push_back(told.arrivals);
  if (fitted_.size() < broadcasts_for_fit) return false;
  order_ = std::make_unique<Order>(tree_, middle_of(fitted_));
  bool moved = false;
  for (const auto& arrivals : first_arrivals_) moved = order_->learn(arrivals) || moved;
  return moved;
}

bool Organiser::learn_by_order(const Told& told) {
  if (!(order_ == nullptr ? begin_order(told) : order_->learn(told.arrivals))) return false;
  orders_ = {order_->transfer().seconds, order_->transfer().busy_seconds};
  orders_.insert(orders_.end(), order_->made_for().begin(), order_->made_for().end());
  return true;
}

bool Organiser::learn_by_swap(const Told& told) {
  if (swap_ == nullptr) swap_ = std::make_unique<ProfiledSwap>(tree_, SwapSettings{.negligible = negligible});
  if (!swap_->learn(told.waited)) return false;
  orders_.assign(swap_->arrangement().ranks().begin(), swap_->arrangement().ranks().end());
  return true;
}

Arrangement arrangement_from(std::span<const double> orders, Method method, const PlaceTree& tree, const Transfer& like,
                             const Arrangement& present) {
  const auto size = static_cast<std::size_t>(tree.size());
  const bool is_by_order = method == Method::order;
  if (orders.size() < size + (is_by_order ? transfer_numbers : 0)) throw std::invalid_argument("orders too short");
  if (!is_by_order) {
    std::vector<Rank> ranks;
    for (const double rank : orders.first(size)) {
      if (!(rank >= 0 && rank < tree.size())) throw std::invalid_argument("orders name no rank");
      ranks.push_back(static_cast<Rank>(rank));
    }
    return Arrangement(std::move(ranks));
  }
  Transfer transfer = like;
  transfer.seconds = orders[0];
  transfer.busy_seconds = orders[1];
  return proposal(tree, find_tails(tree, transfer), transfer, orders.subspan(transfer_numbers, size), present);
}

}  // namespace espalier::arrival
