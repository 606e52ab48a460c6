// SPDX-License-Identifier: Apache-2.0
#include "tuning/evidence/change.hpp"

#include <algorithm>

namespace espalier::tuning {

namespace {

constexpr double max_deviation = 2;      // in the sum
constexpr double max_counted_shift = 6;  // in the estimate of the shift
constexpr double min_reference_gain = .005;

}  // namespace

ChangeDetector::ChangeDetector(const Assumptions& assumptions)
    : slack_(assumptions.cusum_slack),
      bar_(assumptions.cusum_bar),
      sd_(assumptions.noise_sd),
      latest_sd_(assumptions.noise_sd) {}

void ChangeDetector::watch(int incumbent) {
  incumbent_ = incumbent;
  timings_ = 0;
  sum_ = suspicious_ = deviations_ = 0;
}

void ChangeDetector::follow(double log_seconds, double expected, double noise_sd) {
  if (sum_ == 0 || timings_ == 0) sd_ = latest_sd_;
  latest_sd_ = noise_sd;
  if (++timings_ == 1) reference_ = expected;
  const double deviation = std::clamp((log_seconds - reference_) / sd_, -max_deviation, max_deviation);
  reference_ += std::max(min_reference_gain, 1.0 / (timings_ + 4)) * deviation * sd_;
  sum_ = std::max(0.0, sum_ + deviation - slack_);
}

double ChangeDetector::note(double log_seconds, double expected, double noise_sd) {
  follow(log_seconds, expected, noise_sd);
  if (sum_ == 0) {
    suspicious_ = deviations_ = 0;
    return 0;
  }
  ++suspicious_;
  deviations_ += std::min(max_counted_shift, (log_seconds - reference_) / sd_);
  return sum_ > bar_ ? take_shift() : 0;
}

double ChangeDetector::take_shift() {
  const double shift = deviations_ / suspicious_ * sd_;
  watch(incumbent_);
  return shift;
}

}  // namespace espalier::tuning
