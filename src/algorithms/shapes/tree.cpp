// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/tree.hpp"

namespace espalier {

Tree knomial_tree(Rank me, Rank size, Rank root, int radix) {
  Tree tree;
  const Rank place = wrap(std::int64_t{me} - root, size);
  const auto rank_at = [&](std::int64_t other) { return wrap(other + root, size); };

  // The lowest nonzero digit of the place, in base radix, says at which level it hangs.
  std::int64_t level = 1;
  while (level < size && place / level % radix == 0) level *= radix;
  if (place > 0) tree.parent = rank_at(place - place / level % radix * level);
  for (std::int64_t below = 1; below < level && below < size; below *= radix) {
    for (int digit = 1; digit < radix && place + digit * below < size; digit++) {
      tree.children.push_back(rank_at(place + digit * below));
    }
  }
  return tree;
}

Tree complete_tree(Rank me, Rank size, Rank root, int arity) {
  Tree tree;
  const std::int64_t place = wrap(std::int64_t{me} - root, size);
  if (place > 0) tree.parent = wrap((place - 1) / arity + root, size);
  for (int child = arity; child >= 1; child--) {
    const std::int64_t below = arity * place + child;
    if (below < size) tree.children.push_back(wrap(below + root, size));
  }
  return tree;
}

}  // namespace espalier
