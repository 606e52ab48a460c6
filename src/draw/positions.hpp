// SPDX-License-Identifier: Apache-2.0
// Where the nodes of a graph stand in a drawing.
#pragma once

#include <utility>
#include <vector>

#include "core/types.hpp"
#include "draw/svg.hpp"

namespace espalier {

// From one rank to another.
using RankPair = std::pair<Rank, Rank>;

struct Positions {
  std::vector<Point> at;  // by rank; the smallest x and y are 0
  bool is_tree = false;
};

// A tree below `root` if the edges, taken without their direction, form one; otherwise a circle. Children stand in the
// order of their edges.
[[nodiscard]] Positions place_nodes(int ranks, Rank root, const std::vector<RankPair>& edges);

}  // namespace espalier
