// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/tree.hpp"

#include <algorithm>

namespace espalier {

namespace {

// The height of a k-nomial tree of `ranks` ranks: the most nonzero digits, in base radix, that a virtual rank in it can
// have.
int knomial_height(std::int64_t ranks, int radix) {
  std::int64_t level = 1;
  int height = 0;
  for (; level * radix <= ranks; level *= radix) height++;
  const bool has_rest = ranks > level;  // the topmost digit may be nonzero, and then the rest is like a smaller tree
  return has_rest ? std::max(height, 1 + knomial_height(ranks - (ranks - 1) / level * level, radix)) : height;
}

}  // namespace

Tree knomial_tree(Rank me, Rank size, Rank root, int radix) {
  Tree tree;
  const Rank vrank = wrap(std::int64_t{me} - root, size);
  const auto rank_at = [&](std::int64_t other) { return wrap(other + root, size); };

  // The lowest nonzero digit of the virtual rank, in base radix, says at which level it hangs.
  std::int64_t level = 1;
  while (level < size && vrank / level % radix == 0) level *= radix;
  if (vrank > 0) tree.parent = rank_at(vrank - vrank / level % radix * level);
  for (std::int64_t below = 1; below < level && below < size; below *= radix) {
    for (int digit = 1; digit < radix && vrank + digit * below < size; digit++) {
      tree.children.push_back(rank_at(vrank + digit * below));
    }
  }
  const auto height_of = [&](Rank child) {
    const std::int64_t below = wrap(std::int64_t{child} - root, size);
    std::int64_t reach = 1;
    while (below / reach % radix == 0) reach *= radix;
    return knomial_height(std::min(reach, size - below), radix);
  };
  std::stable_sort(tree.children.begin(), tree.children.end(),
                   [&](Rank a, Rank b) { return height_of(a) < height_of(b); });
  return tree;
}

Tree complete_tree(Rank me, Rank size, Rank root, int arity) {
  Tree tree;
  const std::int64_t vrank = wrap(std::int64_t{me} - root, size);
  if (vrank > 0) tree.parent = wrap((vrank - 1) / arity + root, size);
  for (int child = arity; child >= 1; child--) {
    const std::int64_t below = arity * vrank + child;
    if (below < size) tree.children.push_back(wrap(below + root, size));
  }
  return tree;
}

}  // namespace espalier
