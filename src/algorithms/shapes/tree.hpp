// SPDX-License-Identifier: Apache-2.0
// Trees over the ranks, as one rank sees them.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace espalier {

// A rank's place in a rooted tree. Children stand in ascending order of height (the distance to their farthest leaf):
// reductions take them in this order, so that results are the same in every run; what is sent down goes to the farthest
// first. (Paper 1, section 4.2.)
struct Tree {
  Rank parent = no_rank;
  std::vector<Rank> children;

  [[nodiscard]] bool has_parent() const { return parent != no_rank; }
  [[nodiscard]] const std::vector<Rank>& children_lowest_first() const { return children; }
  [[nodiscard]] std::vector<Rank> children_farthest_first() const { return {children.rbegin(), children.rend()}; }
};

// A k-nomial tree (radix 2: binomial): the best depth when a message fits one segment. radix >= 2.
[[nodiscard]] Tree knomial_tree(Rank me, Rank size, Rank root, int radix);

// A complete tree with `arity` children per rank, filled level by level. Arity 1 is a chain.
[[nodiscard]] Tree complete_tree(Rank me, Rank size, Rank root, int arity);

// One that an algorithm names as its own (Algorithm::tree).
using TreeOfPlaces = Tree (*)(Rank place, Rank size, Rank root, int radix);

template <int arity>
[[nodiscard]] Tree complete(Rank place, Rank size, Rank root, int /*radix*/) {
  return complete_tree(place, size, root, arity);
}
[[nodiscard]] inline Tree binomial(Rank place, Rank size, Rank root, int /*radix*/) {
  return knomial_tree(place, size, root, 2);
}

}  // namespace espalier
