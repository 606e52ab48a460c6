// SPDX-License-Identifier: Apache-2.0
// Random numbers that are equal on every machine; the standard's distributions are not.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace espalier::selection {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  // [0, 1)
  [[nodiscard]] double share() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  [[nodiscard]] double between(double low, double high) { return low + (high - low) * share(); }
  [[nodiscard]] std::size_t below(std::size_t count) { return static_cast<std::size_t>(share() * double(count)); }
  [[nodiscard]] bool happens(double probability) { return share() < probability; }
  [[nodiscard]] double normal(double sd) {
    return sd * std::sqrt(-2 * std::log(1 - share())) * std::cos(2 * std::numbers::pi * share());
  }
  [[nodiscard]] double exponential(double mean) { return -mean * std::log(1 - share()); }
  [[nodiscard]] double pareto(double shape) { return std::pow(1 - share(), -1 / shape) - 1; }

 private:
  std::mt19937_64 bits_;
};

}  // namespace espalier::selection
