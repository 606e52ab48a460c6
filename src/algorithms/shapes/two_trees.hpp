// SPDX-License-Identifier: Apache-2.0
// Two interleaved binary trees in each site, and a chain of sites: every node receives both halves of a message and
// uses two NICs in both directions.
//
// In one site, node 0 is the root; the others form the trees A and B. The root sends one half to the top of A, the
// other one to that of B; each tree passes its half down, one NIC per child; a rank that has a NIC left (the leaves,
// and a node with one child) passes its half to a node of the other tree. What is left after that feeds the next site.
//
// (Paper 2, section 3, for 4n - 1 nodes; here for any number: A and B together have two more idle NICs than nodes that
// still lack a half, and differ by one node at most.)
#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"

namespace espalier {

// One half of the message goes from one node to another over one pair of NICs.
struct LaneEdge {
  int from = 0;
  int to = 0;
  int half = 0;
  int lane = 0;  // 0 or 1: no NIC has two edges in one direction
};

// `sites`: the nodes of each; the first site begins with the root. Every node but the root receives both halves.
[[nodiscard]] std::vector<LaneEdge> two_trees(std::span<const std::vector<int>> sites);

}  // namespace espalier
