// SPDX-License-Identifier: Apache-2.0
#include "core/rank_numbers.hpp"

#include <algorithm>

namespace espalier {

RankNumbers::RankNumbers(std::span<const int> numbers) : size_(numbers.size()) {
  if (numbers.empty()) return;
  first_ = numbers[0];
  const auto next = std::ranges::find_if(numbers, [&](int number) { return number != first_; });
  each_ = static_cast<std::size_t>(next - numbers.begin());
  if (next != numbers.end()) step_ = *next - first_;
  if (!is_regular(numbers)) table_.assign(numbers.begin(), numbers.end());
}

bool RankNumbers::is_regular(std::span<const int> numbers) const {
  for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
    if (numbers[rank] != first_ + std::int64_t{step_} * static_cast<std::int64_t>(rank / each_)) return false;
  }
  return true;
}

}  // namespace espalier
