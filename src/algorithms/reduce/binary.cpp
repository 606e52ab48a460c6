// SPDX-License-Identifier: Apache-2.0
//         0
//       /   \         Segments climb a complete binary tree; each rank adds its children in a fixed order.
//      1     2
//     / \   / \       .
//    3   4 5   6
#include "algorithms/algorithm.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { reduce_up(b, tree_here(b, complete<2>)); }

}  // namespace

extern const Algorithm reduce_binary{
    .name = "binary",
    .collective = Collective::reduce,
    .description = "segments are summed up a complete binary tree",
    .source = "pipelined binary tree; costs as in paper 1, equation 2",
    .order = {"binary"},
    .tree = complete<2>,
    .build = build,
};

}  // namespace espalier
