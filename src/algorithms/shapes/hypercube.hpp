// SPDX-License-Identifier: Apache-2.0
// A hypercube over any number of ranks: the surplus over a power of two is folded onto neighbours first.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace espalier {

// The first 2 * surplus of these pair up (0 with 1, 2 with 3, ...); of each pair the even one stays in the cube and the
// odd one hands its contribution over and gets the result back. So neighbours combine with neighbours, and a reduction
// by growing distance keeps the rank order. Virtual ranks count from the root.
//
//     rank   0-1  2-3   4   5         surplus 2, cube of 4
//     corner  0    1    2   3
class Hypercube {
 public:
  Hypercube(Rank me, Rank size, Rank root = 0) : size_(size), root_(root), vrank_(wrap(std::int64_t{me} - root, size)) {
    while (corners_ * 2 <= size) corners_ *= 2;
    surplus_ = size - corners_;
    const bool pairs = vrank_ < 2 * surplus_;
    if (pairs) partner_ = rank_at(vrank_ ^ 1);
    if (!pairs) corner_ = vrank_ - surplus_;
    if (pairs && vrank_ % 2 == 0) corner_ = vrank_ / 2;
  }

  [[nodiscard]] int corners() const { return corners_; }
  [[nodiscard]] bool stays() const { return corner_ >= 0; }  // is this rank in the cube?
  [[nodiscard]] int corner() const { return corner_; }       // where in it
  [[nodiscard]] bool has_folded() const { return partner_ != no_rank; }
  [[nodiscard]] Rank folded() const { return partner_; }  // the other one of this rank's pair
  // The virtual rank there; behind the last corner: how many ranks there are. Those up to the next corner's have folded
  // onto it.
  [[nodiscard]] Rank vrank_of(int corner) const { return corner < surplus_ ? 2 * corner : corner + surplus_; }
  [[nodiscard]] Rank rank_of(int corner) const { return rank_at(vrank_of(corner)); }
  [[nodiscard]] Rank across(int distance) const { return rank_of(corner_ ^ distance); }

 private:
  [[nodiscard]] Rank rank_at(Rank vrank) const { return wrap(std::int64_t{vrank} + root_, size_); }

  Rank size_, root_, vrank_;
  int corners_ = 1, surplus_ = 0, corner_ = -1;
  Rank partner_ = no_rank;
};

}  // namespace espalier
