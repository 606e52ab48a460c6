// SPDX-License-Identifier: Apache-2.0
//         0
//       /   \         Segments flow down a complete binary tree: log2 p hops, each byte leaves an inner rank twice.
//      1     2
//     / \   / \       .
//    3   4 5   6
#include "algorithms/algorithm.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { broadcast_down(b, tree_here(b, complete<2>)); }

}  // namespace

extern const Algorithm bcast_binary{
    .name = "binary",
    .collective = Collective::bcast,
    .description = "segments flow down a complete binary tree",
    .source = "pipelined binary tree; costs in paper 2, section 5.3",
    .tree = complete<2>,
    .build = build,
};

}  // namespace espalier
