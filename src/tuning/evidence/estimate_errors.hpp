// SPDX-License-Identifier: Apache-2.0
// How wrong the estimates turn out to be, compared with how wrong they were said to be: what the first timings tell of
// those candidates that have not run yet.
#pragma once

#include <algorithm>

namespace espalier::tuning {

class EstimateErrors {
 public:
  // The square of an error over the variance that was expected of it. A blunder says little of the others.
  void note(double square) {
    squares_ += square <= max_square ? square : max_square * max_square / square;
    weight_ += 1;
  }
  // Of the variances of estimates.
  [[nodiscard]] double factor() const { return squares_ / weight_; }

 private:
  static constexpr double weight_of_estimate = 4;
  static constexpr double max_square = 6;

  double squares_ = weight_of_estimate, weight_ = weight_of_estimate;
};

}  // namespace espalier::tuning
