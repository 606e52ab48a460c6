// SPDX-License-Identifier: Apache-2.0
// Each candidate several times, one after the other; then the one that was the fastest: as others do it.
#pragma once

#include <cstdint>

#include "tuning/tuner.hpp"

namespace espalier::tuning {

// Of a candidate's timings.
enum class Statistic : std::uint8_t {
  mean,
  mean_without_outliers,  // of those below three times the least
  mean_of_better_half,    // the quicker ones
  least,
};

struct TimingRounds {
  int warm_ups = 0;  // calls of a candidate that are not timed
  int timings = 1;
  Statistic statistic = Statistic::mean;
};

// ADCL (Gabriel and others): 30 timings, outliers left out.
inline constexpr TimingRounds rounds_of_adcl = {0, 30, Statistic::mean_without_outliers};
// Intel MPI's on-line tuning, by its published defaults: one call to warm up, one that counts.
inline constexpr TimingRounds rounds_of_intel = {1, 1, Statistic::least};
// STAR-MPI (paper 5): 10 timings, whose mean over processes decides; as its published source has it, without the slower
// half.
inline constexpr TimingRounds rounds_of_star = {0, 10, Statistic::mean_of_better_half};
inline constexpr TimingRounds plain_rounds_of_star = {0, 10, Statistic::mean};

class InTurn : public Tuner {
 public:
  InTurn(int candidates, const TimingRounds& rounds);

  void learn(const Timings& timings) override;
  [[nodiscard]] Opinion opinion(int candidate) const override { return {.seconds = seconds_[index_of(candidate)]}; }

 protected:
  // All have been timed.
  virtual void decided(int best, double seconds);
  void start_again();
  [[nodiscard]] bool is_learning() const { return next_ < candidates_; }
  [[nodiscard]] double statistic(std::span<const double> seconds);
  // Of the candidate that comes after the best one; of that, if there is no other.
  [[nodiscard]] double second_best_seconds() const;

 private:
  void plan_next();
  [[nodiscard]] double mean_of_better_half(std::span<const double> seconds);

  const int candidates_;
  const TimingRounds rounds_;
  std::vector<double> seconds_;  // of each candidate; 0: not known yet
  std::vector<double> ordered_;
  int next_ = 0;
  int best_ = 0;
  double best_seconds_ = 0;
};

}  // namespace espalier::tuning
