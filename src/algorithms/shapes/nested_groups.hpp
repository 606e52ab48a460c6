// SPDX-License-Identifier: Apache-2.0
// Groups of neighbours, groups of such groups, and so on: `radix` of them in each, for any number of ranks. Where ranks
// follow one another on the cores of a node, groups are what shares a cache, a die, a socket.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace espalier {

// The largest number of ranks that is a product of numbers up to the radix stays, and each level takes the largest of
// these that is left; the surplus folds onto neighbours, as in hypercube.hpp: of the first pairs the odd one hands its
// contribution over and gets the result back. Members are numbered in the order of ranks.
//
//     128 ranks, radix 4: 4, 4, 4, 2         288 ranks, radix 12: 12, 12, 2         35 ranks, radix 4: 4, 4, 2, and 3
class NestedGroups {
 public:
  NestedGroups(Rank me, Rank size, int radix) : members_(size) {
    while (!divides_into_levels(members_, radix)) --members_;
    surplus_ = size - members_;
    const bool pairs = me < 2 * surplus_;
    if (pairs) partner_ = me ^ 1;
    if (!pairs) member_ = me - surplus_;
    if (pairs && me % 2 == 0) member_ = me / 2;
  }

  [[nodiscard]] Rank members() const { return members_; }
  [[nodiscard]] bool stays() const { return member_ >= 0; }
  [[nodiscard]] bool has_folded() const { return partner_ != no_rank; }
  [[nodiscard]] Rank folded() const { return partner_; }  // the other one of this rank's pair

  [[nodiscard]] int levels() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] int groups(int level) const { return sizes_[static_cast<std::size_t>(level)]; }  // that meet there
  // Which of these is this rank's.
  [[nodiscard]] int group(int level) const { return member_ / members_below(level) % groups(level); }
  // The one in another of these groups that stands there where this rank stands in its own.
  [[nodiscard]] Rank peer(int level, int other) const {
    const Rank member = member_ + (other - group(level)) * members_below(level);
    return member < surplus_ ? 2 * member : member + surplus_;
  }

 private:
  [[nodiscard]] bool divides_into_levels(Rank members, int radix) {
    sizes_.clear();
    for (int size = radix; size > 1; --size) {
      for (; members % size == 0; members /= size) sizes_.push_back(size);
    }
    return members == 1;
  }

  [[nodiscard]] Rank members_below(int level) const {
    Rank below = 1;
    for (int k = 0; k < level; ++k) below *= groups(k);
    return below;
  }

  std::vector<int> sizes_;
  Rank members_ = 1, surplus_ = 0, member_ = -1;
  Rank partner_ = no_rank;
};

}  // namespace espalier
