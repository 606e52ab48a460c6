// SPDX-License-Identifier: Apache-2.0
// Spanning trees of a torus that share no link, every hop of which goes to a neighbour.
//
// Tree t of a torus of D dimensions takes the axes in the order t, t+1, ... mod D. It grows from the root along its
// first axis, from each of these nodes along the second one, and so on, always in the + sense. The nodes still missing
// are those level with the root along the first axis; they hang, as leaves, below their neighbours at the end of that
// axis, by the link that goes round. Trees D to 2D-1 are the mirror images, on the links in the - sense.
//
// (Simmen: Comments on broadcast algorithms for two-dimensional grids, 1991, and Barnett et al.: Broadcasting on meshes
// with wormhole routing, 1996, for broadcasts; paper 1, section 4.1, for three dimensions and reductions.)
#pragma once

#include "algorithms/shapes/node_tree.hpp"

namespace espalier {

// `torus`: all axes are rings of three or more. 0 <= tree < 2 * dimensions.
[[nodiscard]] NodeTree torus_tree(const Network::Box& torus, int node, int root, int tree);

// The longest route from the root to a leaf: the extents' sum less the dimensions, and one more where there are
// several.
[[nodiscard]] int torus_tree_height(const Lattice& torus);

}  // namespace espalier
