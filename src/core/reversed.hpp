// SPDX-License-Identifier: Apache-2.0
// A range from its end to its beginning: for (const Rank child : reversed(children)). The standard's views::reverse
// takes a younger Clang than ours has to be.
#pragma once

#include <iterator>

namespace espalier {

template <class Range>
class Reversed {
 public:
  explicit Reversed(const Range& range) : range_(range) {}
  [[nodiscard]] auto begin() const { return std::rbegin(range_); }
  [[nodiscard]] auto end() const { return std::rend(range_); }

 private:
  const Range& range_;
};

template <class Range>
[[nodiscard]] Reversed<Range> reversed(const Range& range) {
  return Reversed<Range>(range);
}

// It would be gone before the loop begins.
template <class Range>
Reversed<Range> reversed(const Range&& range) = delete;

}  // namespace espalier
