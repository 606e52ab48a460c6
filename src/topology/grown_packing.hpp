// SPDX-License-Identifier: Apache-2.0
// Arc-disjoint spanning trees of graphs that are too large for packing.hpp, whose proof asks for a flow at each arc.
#pragma once

#include "topology/packing.hpp"

namespace espalier {

// All trees grow at once, breadth first, so that they are shallow. A node joins as many as it can by the arcs that
// enter it, and takes another arc for one tree where that lets it join another one (a matching of its arcs and trees:
// Kuhn: The Hungarian method for the assignment problem, 1955). Where that is not enough it takes an arc for a tree
// that lacks it from one that does not, whose branch then grows again. If this does not end there is one tree less. So
// there may be fewer trees than the minimum cut has arcs, but never fewer than one where all nodes can be reached.
[[nodiscard]] TreePacking grow_packing(int nodes, std::span<const Arc> arcs, int root, int most = max_packed_trees);

}  // namespace espalier
