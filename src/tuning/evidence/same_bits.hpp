// SPDX-License-Identifier: Apache-2.0
// Functions whose results have the same bits on all machines: ranks that may run on different ones must decide alike.
// (The C library's may differ from version to version; the compiler is told not to contract products and sums.)
#pragma once

#include <cmath>

namespace espalier::tuning {

[[nodiscard]] double exp_of(double x);
// x > 0, and normal.
[[nodiscard]] double log_of(double x);
[[nodiscard]] inline double root_of(double x) { return std::sqrt(x); }  // rounded correctly everywhere

// Of the standard normal distribution.
[[nodiscard]] double density(double u);
// The mean of what it exceeds u by: density(u) - u * P(N > u). From a table, within 1%.
[[nodiscard]] double mean_excess(double u);

}  // namespace espalier::tuning
