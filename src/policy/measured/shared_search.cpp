// SPDX-License-Identifier: Apache-2.0
#include "policy/measured/shared_search.hpp"

#include <algorithm>
#include <new>

namespace espalier {

std::span<double> SharedSearch::begin(double state) {
  std::ranges::fill(numbers_, 0);
  CommonNumber common = CommonNumber::of(state);
  std::ranges::copy(numbers_of(common), numbers_.begin());
  return numbers_;
}

// What a rank has no memory for is not known to any.
void SharedSearch::do_part(Rank rank, Rank ranks) {
  const auto step = static_cast<std::size_t>(ranks);
  try {
    for (auto play = static_cast<std::size_t>(rank); play < search_.plays(); play += step)
      numbers_[head_size + play] = search_.seconds(play);
  } catch (const std::bad_alloc&) {
  }
}

bool SharedSearch::is_common(Rank ranks) const {
  CommonNumber common;
  std::ranges::copy_n(numbers_.begin(), head_size, numbers_of(common).begin());
  return common.is_common(ranks);
}

std::vector<Alternative> SharedSearch::alternatives() const {
  return search_.alternatives(std::span(numbers_).subspan(head_size));
}

}  // namespace espalier
