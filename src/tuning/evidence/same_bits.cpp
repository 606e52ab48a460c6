// SPDX-License-Identifier: Apache-2.0
#include "tuning/evidence/same_bits.hpp"

#include <array>

namespace espalier::tuning {

namespace {

constexpr double log_2_high = 0x1.62e42fefa38p-1;  // 43 bits, so that small multiples are exact
constexpr double log_2_low = 0x1.ef35793c7673p-45;
constexpr double root_of_half = 0.70710678118654752;

// Of mean_excess(), for 0 <= u <= last_excess.
constexpr int steps_per_unit = 32;
constexpr int last_excess = 8;
constexpr int steps = steps_per_unit * last_excess;
using ProbabilityTable = std::array<double, steps + 2>;

// From the far end: the tail of the density, and then the tail of that, both by Simpson's rule.
ProbabilityTable table_of_mean_excess() {
  constexpr double step = 1.0 / steps_per_unit;
  ProbabilityTable excess{};
  double tail = 0;
  for (int i = steps; i >= 0; --i) {
    const double u = i * step;
    const double part = step / 6 * (density(u) + 4 * density(u + step / 2) + density(u + step));
    const double half = step / 24 * (5 * density(u + step) + 8 * density(u + step / 2) - density(u));
    excess[static_cast<std::size_t>(i)] =
        excess[static_cast<std::size_t>(i) + 1] + step / 6 * (tail + 4 * (tail + half) + (tail + part));
    tail += part;
  }
  return excess;
}

const ProbabilityTable excess_table = table_of_mean_excess();

}  // namespace

double exp_of(double x) {
  const double exponent = std::floor(x / (log_2_high + log_2_low) + .5);
  const double rest = (x - exponent * log_2_high) - exponent * log_2_low;
  double sum = 1;
  for (int n = 13; n > 0; --n) sum = 1 + rest / n * sum;
  return std::ldexp(sum, static_cast<int>(exponent));
}

double log_of(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < root_of_half) {
    mantissa *= 2;
    --exponent;
  }
  const double s = (mantissa - 1) / (mantissa + 1);
  double sum = 0;
  for (int n = 21; n > 0; n -= 2) sum = sum * s * s + 1.0 / n;
  return exponent * log_2_high + (exponent * log_2_low + 2 * s * sum);
}

double density(double u) { return .3989422804014327 * exp_of(-.5 * u * u); }

double mean_excess(double u) {
  if (u < 0) return mean_excess(-u) - u;
  if (u >= last_excess) return 0;
  const double place = u * steps_per_unit;
  const auto index = static_cast<std::size_t>(place);
  const double share = place - static_cast<double>(index);
  return (1 - share) * excess_table[index] + share * excess_table[index + 1];
}

}  // namespace espalier::tuning
