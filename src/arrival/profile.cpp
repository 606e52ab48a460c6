// SPDX-License-Identifier: Apache-2.0
#include "arrival/profile.hpp"

#include <algorithm>
#include <cmath>

namespace espalier::arrival {

void Profile::note(double waited) {
  last_ = {last_[1], last_[2], waited};
  ++count_;
  const double past = count_ == 1 ? 0 : 1 - std::ldexp(1.0, -settings_.weight);  // nothing is known before the first
  smoothed_ = past * smoothed_ + (1 - past) * waited;
  if (settings_.smoothing == Smoothing::weighted) return;
  const auto [least, most] = std::ranges::minmax(last_);
  if (count_ >= 3 && most - least <= settings_.like * most) smoothed_ = (last_[0] + last_[1] + last_[2]) / 3;
}

void Profile::restart() {
  count_ = 0;
  has_restarted_ = true;
}

std::optional<double> Profile::news() {
  // The paper's swaps move a wait by just this much, so the bound itself counts as change.
  constexpr double rounding = 1e-9;
  const double change = std::abs(smoothed_ - reported_);
  const bool has_changed = change > 0 && change >= settings_.threshold * reported_ * (1 - rounding);
  if (!has_changed && !(has_restarted_ && count_ > 0)) return std::nullopt;
  has_restarted_ = false;
  reported_ = smoothed_;
  return reported_;
}

}  // namespace espalier::arrival
