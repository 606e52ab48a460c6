// SPDX-License-Identifier: Apache-2.0
#include "arrival/order.hpp"

#include <algorithm>
#include <utility>

#include "arrival/assignment.hpp"

namespace espalier::arrival {

namespace {

constexpr double margin = .04;  // a gain that is not worth it
constexpr double margin_elsewhere = .15;
constexpr double max_gain = .2;  // of one broadcast, in the sum
constexpr double least_bar = .3;
constexpr double log_odds = 14;  // against a move by mere noise
constexpr double max_moves = 4, moves_per_broadcast = 1.0 / 500;
constexpr double bar_without_moves = 20;            // times as high
constexpr int least_memory = 32, max_memory = 128;  // broadcasts, of the variance
constexpr int trial_broadcasts = 50;
constexpr double max_caution = 1e4, more_cautious = 16, less_cautious = .5, cautious_once_undone = 4;
constexpr std::size_t max_refused = 8;
constexpr double mean_slack = 1.02;  // few exchanges may cost so much of the mean time

Taken taken_in(const Wave& wave) { return {wave.overall, wave.mean}; }

}  // namespace

bool Benefit::note(double gain) {
  moves_ = std::min(max_moves, moves_ + moves_per_broadcast);
  ++count_;
  const double loss = gain < 0 ? 2 * gain * gain : 0;  // twice: it stands for the other half, too
  variance_ += (loss - variance_) / std::clamp(count_, least_memory, max_memory);
  sum_ = std::max(0.0, sum_ + std::min(gain, max_gain) - margin);
  const double bar =
      std::max(least_bar, log_odds * variance_ / (2 * margin)) * caution_ * (moves_ >= 1 ? 1 : bar_without_moves);
  if (sum_ <= bar || gain <= margin) return false;
  moves_ = std::max(0.0, moves_ - 1);
  sum_ = 0;
  return true;
}

void Benefit::doubt() { caution_ = std::min(caution_ * cautious_once_undone, max_caution); }

void Benefit::judge(bool has_paid) {
  caution_ = std::clamp(caution_ * (has_paid ? less_cautious : more_cautious), 1.0, max_caution);
}

Arrangement proposal(const PlaceTree& tree, const Tails& tails, const Transfer& transfer,
                     std::span<const double> mean_arrivals, const Arrangement& present) {
  Arrangement best = earliest_to_longest_tails(tree, tails, mean_arrivals);
  Arrangement near = few_exchanges(tree, tails, mean_arrivals, present);
  return play(tree, near, mean_arrivals, transfer).mean > mean_slack * play(tree, best, mean_arrivals, transfer).mean
             ? best
             : near;
}

Order::Order(const PlaceTree& tree, const Transfer& transfer)
    : tree_(tree),
      transfer_(transfer),
      tails_(find_tails(tree, transfer)),
      times_(tree.size(), tree.root(), transfer.seconds),
      arrangement_(tree.size()),
      proposed_(tree.size()),
      left_(tree.size()) {}

bool Order::learn(std::span<const double> arrivals, std::optional<Taken> elsewhere, std::optional<Taken> along) {
  times_.note(arrivals);
  has_undone_ = along && has_failed(*along);
  if (has_undone_) {
    undo();
    propose();
    return true;
  }
  judge();
  const bool is_first = elsewhere && made_for_.empty();
  const bool moves =
      (is_first || !(proposed_ == arrangement_)) && benefit_.note(is_first ? gain_over(*elsewhere) : gain());
  if (moves) move();
  propose();
  return moves;
}

void Order::move() {
  if (!(proposed_ == arrangement_)) {
    on_trial_ = trial_broadcasts;
    trial_.begin();
  }
  left_ = std::exchange(arrangement_, proposed_);
  left_made_for_ = std::exchange(made_for_, proposed_for_);
  gained_ = 0;
}

bool Order::has_failed(const Taken& along) {
  play(tree_, trial_.is_under_way() ? left_ : arrangement_, times_.latest(), transfer_, wave_);
  return trial_.note(along, wave_);
}

void Order::undo() {
  if (refused_.size() == max_refused) refused_.erase(refused_.begin());
  refused_.push_back(std::exchange(arrangement_, left_));
  made_for_ = left_made_for_;
  on_trial_ = 0;
  benefit_.doubt();
}

void Order::judge() {
  if (on_trial_ == 0) return;
  gained_ += gain_from(left_, arrangement_);
  if (--on_trial_ == 0) benefit_.judge(gained_ > margin * trial_broadcasts);
}

// On arrivals that the proposal does not know: so noise promises nothing.
double Order::gain() { return gain_from(arrangement_, proposed_); }

double Order::gain_from(const Arrangement& one, const Arrangement& other) {
  play(tree_, one, times_.latest(), transfer_, wave_);
  play(tree_, other, times_.latest(), transfer_, proposed_wave_);
  return gain_of(taken_in(wave_), taken_in(proposed_wave_));
}

// The model is fitted to calls that went otherwise: much must be gained to be sure of it.
double Order::gain_over(const Taken& elsewhere) {
  if (proposed_for_.empty()) return 0;
  play(tree_, proposed_, times_.latest(), transfer_, proposed_wave_);
  return gain_of(elsewhere, taken_in(proposed_wave_)) - margin_elsewhere;
}

void Order::propose() {
  proposed_for_.assign(times_.mean_arrivals().begin(), times_.mean_arrivals().end());
  proposed_ = proposal(tree_, tails_, transfer_, proposed_for_, arrangement_);
  if (std::ranges::find(refused_, proposed_) != refused_.end()) proposed_ = arrangement_;
}

}  // namespace espalier::arrival
