// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace espalier::arrival {

// The median of three: one outlier is nothing.
[[nodiscard]] inline double middle(double a, double b, double c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

}  // namespace espalier::arrival
