// SPDX-License-Identifier: Apache-2.0
// Numbers by name that ranks exchange: a struct of nothing but doubles, as a sequence of them.
#pragma once

#include <span>
#include <type_traits>

namespace espalier {

template <class Numbers>
[[nodiscard]] std::span<double> numbers_of(Numbers& numbers) {
  static_assert(std::is_trivially_copyable_v<Numbers> && std::is_standard_layout_v<Numbers>);
  static_assert(sizeof(Numbers) % sizeof(double) == 0 && alignof(Numbers) == alignof(double));
  return {reinterpret_cast<double*>(&numbers), sizeof(Numbers) / sizeof(double)};
}

// One that all ranks shall have alike, a whole one and not too large: exact as a sum, and squared.
struct CommonNumber {
  double sum = 0, sum_of_squares = 0;

  [[nodiscard]] static CommonNumber of(double number) { return {number, number * number}; }
  // By the inequality of Cauchy and Schwarz.
  [[nodiscard]] bool is_common(int ranks) const { return sum * sum == ranks * sum_of_squares; }
};

}  // namespace espalier
