// SPDX-License-Identifier: Apache-2.0
#include "tuning/evidence/noise.hpp"

#include <algorithm>

namespace espalier::tuning {

namespace {

constexpr double weight_of_assumed = 6, weight_of_all = 8;
constexpr double weight_of_none = 3;  // that calls leave nothing to the next ones
constexpr double max_weight = 200;    // beyond it half is forgotten

}  // namespace

Noise::Noise(int candidates, double assumed_sd)
    : assumed_variance_(assumed_sd * assumed_sd), each_(static_cast<std::size_t>(candidates)) {}

double Noise::variance(int a, bool after_another) const {
  const double of_all = (weight_of_assumed * assumed_variance_ + all_.squares) / (weight_of_assumed + all_.weights);
  const WeightedSquares& its = each_[static_cast<std::size_t>(a)];
  const double own = (weight_of_all * of_all + its.squares) / (weight_of_all + its.weights);
  if (!after_another) return own;
  return own + std::clamp(after_another_.squares / (weight_of_none + after_another_.weights), 0.0, 1.0);
}

void Noise::note(int a, double error, double weight, double noise_weight, bool after_another) {
  if (after_another) {
    after_another_.squares += noise_weight * error * error - weight * variance(a);
    after_another_.weights += weight;
    return;
  }
  WeightedSquares& its = each_[static_cast<std::size_t>(a)];
  const WeightedSquares before = its;
  its.squares += noise_weight * error * error;
  its.weights += weight;
  if (its.weights > max_weight) its = {its.squares / 2, its.weights / 2};
  all_.squares += its.squares - before.squares;
  all_.weights += its.weights - before.weights;
}

void Noise::note_spike(double probability, int timings) {
  spike_share_ += (probability - spike_share_) / std::min(32.0, 8.0 + timings);
}

double Noise::share_of_spikes(double probability) const {
  if (!is_wide()) return probability;
  return probability / 2 * (2 - std::min(2.0, spike_share_ / wide_share));
}

}  // namespace espalier::tuning
