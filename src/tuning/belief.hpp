// SPDX-License-Identifier: Apache-2.0
// What is believed of the candidates' times: their logs are a common level, which drifts for all alike, plus a part of
// each candidate's own; and of calls that overlap, plus what a single call takes longer than those of a long run, which
// is in proportion to `part` of a run that the call is. All of them together have a normal distribution.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tuning/candidate.hpp"

namespace espalier::tuning {

class Belief {
 public:
  // `single_call`: what is believed of that excess of single calls.
  explicit Belief(std::span<const Estimate> estimates, Estimate single_call = {});

  [[nodiscard]] int candidates() const { return static_cast<int>(means_.size()) - 2; }

  // Of the log of a's time, or of a's time over b's.
  [[nodiscard]] double log_time(int a, double part = 0) const { return level() + own(a) + part * single_call(); }
  // By the means of times, which a few long ones raise.
  [[nodiscard]] double log_ratio(int a, int b) const { return own(a) + tail(a) - own(b) - tail(b); }
  // The log of a's mean time over what log_time() stands for.
  [[nodiscard]] double tail(int a) const { return tails_[static_cast<std::size_t>(a)]; }
  void set_tail(int a, double log) { tails_[static_cast<std::size_t>(a)] = log; }
  [[nodiscard]] double variance(int a, double part = 0) const;
  [[nodiscard]] double variance_of_ratio(int a, int b) const;
  // By how much a timing of c with such a noise reduces variance(a, b).
  [[nodiscard]] double reduction(int c, int a, int b, double noise_variance) const;
  // a's time over b's, less 1: this many standard deviations on the high side.
  [[nodiscard]] double excess(int a, int b, double deviations) const;

  // A timing: `error` is its log less log_time(a), `total_variance` that of the error. `weight`: the probability that
  // it is what it seems; if it is not, nothing is learnt.
  void learn(int a, double error, double total_variance, double weight = 1, double part = 0);
  // A timing of a is to come: only what it does to the variances.
  void expect(int a, double noise_variance, double part = 0);

  void set_level(double mean, double variance);
  void widen_level(double variance) { at(0, 0) += variance; }
  void widen(int a, double variance) { at(place(a), place(a)) += variance; }
  // As if nothing had been learnt of it.
  void reset(int a, double own_mean, double own_variance);
  [[nodiscard]] double own(int a) const { return means_[place(a)]; }
  [[nodiscard]] double own_variance(int a) const { return at(place(a), place(a)); }
  [[nodiscard]] double level() const { return means_[0]; }
  [[nodiscard]] double level_variance() const { return at(0, 0); }
  [[nodiscard]] double single_call() const { return means_.back(); }

 private:
  [[nodiscard]] static std::size_t place(int a) { return static_cast<std::size_t>(a) + 1; }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return covariance_[i * means_.size() + j]; }
  [[nodiscard]] double& at(std::size_t i, std::size_t j) { return covariance_[i * means_.size() + j]; }
  [[nodiscard]] double with_time(std::size_t i, int a, double part = 0) const {
    return at(i, 0) + at(i, place(a)) + part * at(i, means_.size() - 1);
  }
  void find_gains(int a, double total_variance, double part);
  void subtract_gains(double factor);

  std::vector<double> means_;       // the level, then each candidate's own part, then what single calls take longer
  std::vector<double> covariance_;  // of those, row by row
  std::vector<double> tails_;       // of each candidate
  std::vector<double> gains_;       // remaining budget for one step of learning
};

}  // namespace espalier::tuning
