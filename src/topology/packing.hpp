// SPDX-License-Identifier: Apache-2.0
// Arc-disjoint spanning trees of any graph, as many as there can be.
#pragma once

#include <span>
#include <vector>

#include "topology/machine.hpp"

namespace espalier {

// Spanning trees away from a root that share no arc (or share it no more often than its capacity allows).
struct TreePacking {
  int root = 0;
  std::vector<std::vector<int>> parents;  // of each tree: each node's parent; no_node at the root

  [[nodiscard]] int trees() const { return static_cast<int>(parents.size()); }
};

inline constexpr int max_packed_trees = 64;

// The least number of arcs by which the root reaches each of the other nodes, without sharing: no packing can have more
// trees, and Edmonds' theorem says that one has as many. Capacities count in units of the slowest arc, rounded down.
[[nodiscard]] int minimum_cut(int nodes, std::span<const Arc> arcs, int root);

// Lovasz' proof of Edmonds' theorem as an algorithm: a tree grows by any arc whose loss leaves every node as many
// routes from the root as there are trees still to come. The graph is searched breadth first, so that trees are
// shallow; an arc that was refused once will be refused again, so each is tried once for each tree. No more than `most`
// trees. (Edmonds: Edge-disjoint branchings, 1973. Lovasz: On two minimax theorems in graph theory, 1976.)
[[nodiscard]] TreePacking pack_trees(int nodes, std::span<const Arc> arcs, int root, int most = max_packed_trees);

}  // namespace espalier
