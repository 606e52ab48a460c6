// SPDX-License-Identifier: Apache-2.0
// How much timings of a candidate scatter: the variance of their logs. Where little is known of one candidate all are
// asked, and where little is known of them what was assumed.
#pragma once

#include <vector>

namespace espalier::tuning {

class Noise {
 public:
  Noise(int candidates, double assumed_sd);

  // `after_another`: of a call that follows one of another candidate, which may have left messages or late ranks to it.
  [[nodiscard]] double variance(int a, bool after_another = false) const;
  // A timing was so far off; `weight`: that it counts with; `noise_weight`: with that part of it that was noise.
  void note(int a, double error, double weight, double noise_weight, bool after_another);

  // Share of late calls that were spikes. If that many are, they are no spikes: the distribution is wide.
  [[nodiscard]] double spike_share() const { return spike_share_; }
  [[nodiscard]] bool is_wide() const { return spike_share_ >= wide_share; }
  void note_spike(double probability, int timings);
  // What is left of such a probability where spikes are common.
  [[nodiscard]] double share_of_spikes(double probability) const;

 private:
  static constexpr double wide_share = .2;

  struct WeightedSquares {
    double squares = 0, weights = 0;
  };
  double assumed_variance_;
  WeightedSquares all_;
  std::vector<WeightedSquares> each_;
  double spike_share_ = 0;
  WeightedSquares after_another_;  // of squares beyond what noise explains
};

}  // namespace espalier::tuning
