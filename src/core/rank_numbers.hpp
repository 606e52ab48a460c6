// SPDX-License-Identifier: Apache-2.0
// A number for each rank: that of its node, its host. Mostly each node has as many ranks, one after the other, and then
// three numbers say it, however many ranks there are.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace espalier {

class RankNumbers {
 public:
  RankNumbers() = default;
  RankNumbers(std::span<const int> numbers);  // NOLINT(google-explicit-constructor): the same, kept otherwise
  RankNumbers(std::initializer_list<int> numbers) : RankNumbers(std::span(numbers.begin(), numbers.size())) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] int operator[](std::size_t rank) const {
    return table_.empty() ? first_ + step_ * static_cast<int>(rank / each_) : table_[rank];
  }
  [[nodiscard]] bool are_all_equal() const { return table_.empty() && (step_ == 0 || each_ >= size_); }
  void clear() { *this = {}; }

 private:
  [[nodiscard]] bool is_regular(std::span<const int> numbers) const;

  std::size_t size_ = 0;
  std::size_t each_ = 1;  // this many ranks have the same number
  int first_ = 0, step_ = 0;
  std::vector<int> table_;  // empty if regular
};

}  // namespace espalier
