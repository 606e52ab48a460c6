// SPDX-License-Identifier: Apache-2.0
// The trees of the algorithms, as trees of places.
#pragma once

#include "algorithms/shapes/tree.hpp"
#include "arrival/wave/place_tree.hpp"

namespace espalier::arrival {

inline PlaceTree knomial(Rank size, Rank root = 0, int radix = 2, Flow flow = Flow::down) {
  return {size, root, [=](Rank place) { return knomial_tree(place, size, root, radix).children_farthest_first(); },
          nullptr, flow};
}

inline PlaceTree complete(Rank size, int arity, Rank root = 0, Flow flow = Flow::down) {
  return {size, root, [=](Rank place) { return complete_tree(place, size, root, arity).children_farthest_first(); },
          nullptr, flow};
}

}  // namespace espalier::arrival
