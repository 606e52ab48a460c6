// SPDX-License-Identifier: Apache-2.0
// What one rank does in the two trees of shapes/two_trees.hpp, for each half of the message.
#pragma once

#include <array>
#include <vector>

#include "algorithms/shapes/two_trees.hpp"
#include "schedule/builder.hpp"

namespace espalier {

struct LanePeer {
  Rank rank = no_rank;
  int lane = 0;  // which of the two NICs
  [[nodiscard]] Path path() const { return static_cast<Path>(1 + lane); }
};

// A rank's place in the tree along which one half travels.
struct HalfTree {
  LanePeer parent;
  std::vector<LanePeer> children;
  [[nodiscard]] bool has_parent() const { return parent.rank != no_rank; }
};

// One rank of each node is in the trees, the others hang below it. Without a network every rank is a node, in one site.
[[nodiscard]] std::array<HalfTree, 2> half_trees(const Shape& shape, Rank me, Rank root);

// About: that of a binary tree over the nodes.
[[nodiscard]] int half_tree_height(const Network& network);

}  // namespace espalier
