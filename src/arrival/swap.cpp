// SPDX-License-Identifier: Apache-2.0
#include "arrival/swap.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace espalier::arrival {

namespace {

constexpr double rounding_of_sums = 1e-9;
constexpr double little = .25;  // of the sum of all waits
constexpr int max_interval = 1 << 20;

}  // namespace

Swap::Swap(const PlaceTree& tree, const Negligible& negligible)
    : tree_(tree), negligible_(negligible), arrangement_(tree.size()) {}

std::optional<RankSwap> Swap::learn(std::span<const double> waited) {
  const double sum = std::accumulate(waited.begin(), waited.end(), 0.0);
  if (tried_ && undo_if_worse(sum)) {
    const RankSwap undone{tried_->a, tried_->b, true};
    tried_.reset();
    return undone;
  }
  if (tried_) longest_ = no_rank;  // it was good: what is known now counts
  tried_.reset();
  if (longest_ == no_rank) find_candidates(waited);
  if (candidates_.empty()) {  // none of them was late: begin again with what will be known next time
    longest_ = no_rank;
    return std::nullopt;
  }
  tried_ = {longest_, candidates_.back()};
  candidates_.pop_back();
  sum_before_ = sum;
  arrangement_.exchange_places(tried_->a, tried_->b);
  return tried_;
}

bool Swap::undo_if_worse(double sum) {
  if (sum <= sum_before_ + rounding_of_sums * (1 + sum)) return false;
  arrangement_.exchange_places(tried_->a, tried_->b);
  return true;
}

// Of those that do not wait, the one that sends most is the most harmful in its place, if it is late; then the one
// nearest to the root.
void Swap::find_candidates(std::span<const double> waited) {
  candidates_.clear();
  const auto wait_of = [&](Rank rank) { return waited[static_cast<std::size_t>(rank)]; };
  Rank longest = tree_.root();  // which waits for nobody
  for (Rank rank = 0; rank < tree_.size(); ++rank) {
    const bool is_longest = longest == tree_.root() || wait_of(rank) > wait_of(longest);
    if (rank != tree_.root() && is_longest) longest = rank;
  }
  const double negligible = negligible_.of(wait_of(longest));
  if (wait_of(longest) <= negligible) return;
  for (Rank rank = 0; rank < tree_.size(); ++rank) {
    const bool fits = tree_.may_exchange(arrangement_.place_of(rank), arrangement_.place_of(longest));
    if (fits && wait_of(rank) <= negligible) candidates_.push_back(rank);
  }
  const auto standing = [&](Rank rank) {
    const Rank place = arrangement_.place_of(rank);
    return std::tuple(tree_.sends(place), -tree_.at(place).depth, -rank);
  };
  std::ranges::sort(candidates_, {}, standing);
  longest_ = longest;
}

int Interval::next(double sum) {
  if (last_sum_ >= 0) {
    const bool changed_little = std::abs(sum - last_sum_) <= little * last_sum_;
    if (changed_little) broadcasts_ = std::min(max_interval, 2 * broadcasts_);
    if (!changed_little && may_halve_) broadcasts_ = std::max(least_, broadcasts_ / 2);
  }
  last_sum_ = sum;
  return broadcasts_;
}

}  // namespace espalier::arrival
