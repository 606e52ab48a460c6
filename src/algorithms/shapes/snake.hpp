// SPDX-License-Identifier: Apache-2.0
// A path from the root through all nodes of a torus, every hop of which goes to a neighbour.
//
//    0 > 1 > 2 > 3        It goes along the first axis, one step along the second one, back along the first, and so on;
//                v        where two axes are full, one step along the third one, and all of that back.
//    7 < 6 < 5 < 4
//    v                    Places count from the root: an axis is a ring, and may begin anywhere. So there is a path
//    8 > 9 > ...          from every root, and no need for one that comes back to it.
//
// (The reflected Gray code in mixed radix; Knuth: The art of computer programming 4A, 2011, section 7.2.1.1.)
#pragma once

#include "algorithms/shapes/node_tree.hpp"

namespace espalier {

// `torus`: all axes are rings, so that a node has its neighbours on both sides.
[[nodiscard]] NodeTree snake(const Network::Box& torus, int node, int root);

}  // namespace espalier
