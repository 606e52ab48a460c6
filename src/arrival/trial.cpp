// SPDX-License-Identifier: Apache-2.0
#include "arrival/trial.hpp"

#include <algorithm>

#include "arrival/median_of_three.hpp"

namespace espalier::arrival {

namespace {

constexpr int calls_of_trial = 5, calls_not_counted = 1;  // in the first one connections are made
constexpr double most = .2;                               // of one call
constexpr double loss = .03;                              // by which it is undone: less is noise

double share(double before, double after) {
  const double larger = std::max(before, after);
  return larger > 0 ? (before - after) / larger : 0;
}

}  // namespace

double gain_of(const Taken& before, const Taken& after) {
  return .5 * share(before.overall, after.overall) + .5 * share(before.mean, after.mean);
}

void ArrangementTrial::begin() {
  left_ = 0;
  if (known_ < static_cast<int>(off_.size())) return;
  mean_error_ = {median_of_three(off_[0].overall, off_[1].overall, off_[2].overall),
                 median_of_three(off_[0].mean, off_[1].mean, off_[2].mean)};
  left_ = calls_of_trial;
  gained_ = 0;
  known_ = 0;
}

bool ArrangementTrial::note(const Taken& taken, const Wave& without) {
  if (without.overall <= 0 || without.mean <= 0) return false;
  if (left_ == 0) {
    std::rotate(off_.begin(), off_.begin() + 1, off_.end());  // Clang 14 does not compile that of ranges
    off_.back() = {taken.overall / without.overall, taken.mean / without.mean};
    known_ = std::min(known_ + 1, static_cast<int>(off_.size()));
    return false;
  }
  if (left_-- > calls_of_trial - calls_not_counted) return false;
  const Taken before{mean_error_.overall * without.overall, mean_error_.mean * without.mean};
  gained_ += std::clamp(gain_of(before, taken), -most, most);
  return left_ == 0 && gained_ < -loss * (calls_of_trial - calls_not_counted);
}

}  // namespace espalier::arrival
