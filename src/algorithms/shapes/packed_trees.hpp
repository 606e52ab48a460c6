// SPDX-License-Identifier: Apache-2.0
// The trees of a packing, for any graph.
#pragma once

#include "algorithms/shapes/node_tree.hpp"

namespace espalier {

[[nodiscard]] NodeTree packed_tree(const TreePacking& packing, int node, int tree);
[[nodiscard]] int packed_tree_height(const TreePacking& packing, int tree);

// The node from which the others are reached in the fewest hops: the root where a collective has none.
[[nodiscard]] int central_node(const Network& network);

}  // namespace espalier
