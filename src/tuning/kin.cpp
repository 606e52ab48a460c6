// SPDX-License-Identifier: Apache-2.0
#include "tuning/kin.hpp"

#include <cmath>

#include "tuning/evidence/same_bits.hpp"

namespace espalier::tuning {

namespace {

// By how much the ratio of two candidates differs from one size to another: its variance grows with every doubling.
constexpr double variance_of_doubling = .06;

struct WeightedMean {
  double sum = 0, weight = 0;
  void add(double value, double variance) {
    sum += value / variance;
    weight += 1 / variance;
  }
};

const KinTiming* nearest(std::span<const KinTiming> kin, double side) {
  const KinTiming* found = nullptr;
  for (const KinTiming& each : kin) {
    const double distance = side * each.log2_size;
    if (distance <= 0) continue;
    if (found == nullptr || distance < side * found->log2_size) found = &each;
  }
  return found;
}

}  // namespace

Estimate expect_by_kin(const Estimate& own, const Estimate& native, std::span<const KinTiming> kin) {
  WeightedMean ratio;
  ratio.add(own.log_seconds - native.log_seconds, own.sd * own.sd);
  for (const double side : {-1., 1.}) {
    if (const KinTiming* const near = nearest(kin, side); near != nullptr) {
      ratio.add(near->log_ratio, near->sd * near->sd + variance_of_doubling * side * near->log2_size);
    }
  }
  return {.log_seconds = native.log_seconds + ratio.sum / ratio.weight, .sd = root_of(1 / ratio.weight)};
}

}  // namespace espalier::tuning
