// SPDX-License-Identifier: Apache-2.0
// Noise for tests, equal on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace espalier::tuning {

class Normal {
 public:
  explicit Normal(std::uint64_t seed) : bits_(seed) {}

  [[nodiscard]] double share() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  [[nodiscard]] double operator()() {
    return std::sqrt(-2 * std::log(1 - share())) * std::cos(2 * std::numbers::pi * share());
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace espalier::tuning
