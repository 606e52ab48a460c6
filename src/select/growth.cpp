// SPDX-License-Identifier: Apache-2.0
#include "select/growth.hpp"

#include <algorithm>

#include "tuning/evidence/same_bits.hpp"

namespace espalier {

namespace {

constexpr double max_factor = 2.2;  // as of what each doubling adds a step to, too
constexpr double even = 1e-6;

}  // namespace

double grown(std::span<const double, 3> seconds, double times) {
  const double before = seconds[1] - seconds[0], last = seconds[2] - seconds[1];
  if (last <= 0 || times <= 1) return seconds[2];
  const double factor = before > 0 ? std::clamp(last / before, 1.0, max_factor) : 1;
  const double doublings = tuning::log_of(times) / tuning::log_of(2);
  if (factor - 1 < even) return seconds[2] + last * doublings;
  // last * (factor + factor^2 + ...), for as many doublings, whole or not
  const double power = tuning::exp_of(doublings * tuning::log_of(factor));
  return seconds[2] + last * factor * (power - 1) / (factor - 1);
}

}  // namespace espalier
