// SPDX-License-Identifier: Apache-2.0
#include "tuning/belief.hpp"

#include <algorithm>

#include "tuning/evidence/same_bits.hpp"

namespace espalier::tuning {

namespace {

constexpr double unknown_level_variance = 100;
constexpr double max_log_excess = 4;  // slower by more than that makes no difference

}  // namespace

Belief::Belief(std::span<const Estimate> estimates, Estimate single_call)
    : means_(estimates.size() + 2),
      covariance_(means_.size() * means_.size()),
      tails_(estimates.size()),
      gains_(means_.size()) {
  at(0, 0) = unknown_level_variance;
  for (int a = 0; a < candidates(); ++a) {
    const Estimate& estimate = estimates[index_of(a)];
    means_[place(a)] = estimate.log_seconds - estimates[0].log_seconds;
    at(place(a), place(a)) = estimate.sd * estimate.sd;
  }
  means_.back() = single_call.log_seconds;
  at(means_.size() - 1, means_.size() - 1) = single_call.sd * single_call.sd;
}

double Belief::variance(int a, double part) const {
  return with_time(0, a, part) + with_time(place(a), a, part) + part * with_time(means_.size() - 1, a, part);
}

double Belief::variance_of_ratio(int a, int b) const {
  return std::max(0.0, at(place(a), place(a)) + at(place(b), place(b)) - 2 * at(place(a), place(b)));
}

double Belief::reduction(int c, int a, int b, double noise_variance) const {
  const double covariance = with_time(place(a), c) - with_time(place(b), c);
  return covariance * covariance / (variance(c) + noise_variance);
}

double Belief::excess(int a, int b, double deviations) const {
  const double log_excess = log_ratio(a, b) + deviations * root_of(variance_of_ratio(a, b));
  return exp_of(std::min(max_log_excess, log_excess)) - 1;
}

void Belief::find_gains(int a, double total_variance, double part) {
  for (std::size_t i = 0; i < gains_.size(); ++i) gains_[i] = with_time(i, a, part) / total_variance;
}

void Belief::subtract_gains(double factor) {
  for (std::size_t i = 0; i < gains_.size(); ++i) {
    for (std::size_t j = 0; j < gains_.size(); ++j) at(i, j) -= factor * gains_[i] * gains_[j];
  }
}

// What is believed afterwards is a mixture of having learnt and of having not; it is replaced by the normal
// distribution of the same mean and variance, as in probabilistic data association.
void Belief::learn(int a, double error, double total_variance, double weight, double part) {
  find_gains(a, total_variance, part);
  for (std::size_t i = 0; i < gains_.size(); ++i) means_[i] += weight * error * gains_[i];
  subtract_gains(weight * total_variance - weight * (1 - weight) * error * error);
}

void Belief::expect(int a, double noise_variance, double part) {
  const double total = variance(a, part) + noise_variance;
  find_gains(a, total, part);
  subtract_gains(total);
}

void Belief::set_level(double mean, double variance) {
  means_[0] = mean;
  at(0, 0) = variance;
}

void Belief::reset(int a, double own_mean, double own_variance) {
  for (std::size_t i = 0; i < means_.size(); ++i) at(i, place(a)) = at(place(a), i) = 0;
  means_[place(a)] = own_mean;
  at(place(a), place(a)) = own_variance;
}

}  // namespace espalier::tuning
