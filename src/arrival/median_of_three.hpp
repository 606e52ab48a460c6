// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace espalier::arrival {

// One outlier is nothing.
[[nodiscard]] inline double median_of_three(double a, double b, double c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

}  // namespace espalier::arrival
