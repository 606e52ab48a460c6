// SPDX-License-Identifier: Apache-2.0
//         0
//       // \\         Partial results climb a complete binary tree and final ones descend it, both at once: a link
//      1     2        carries each byte once in each direction.
//    // \\ // \\      .
//    3   4 5   6
#include "algorithms/algorithm.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { reduce_and_broadcast(b, tree_here(b, complete<2>)); }

}  // namespace

extern const Algorithm allreduce_tree{
    .name = "tree",
    .collective = Collective::allreduce,
    .description = "reduce up and broadcast down one binary tree, fused into one pipeline",
    .source = "paper 1, section 2.2.1, fused",
    .order = {"binary"},
    .tree = complete<2>,
    .build = build,
};

}  // namespace espalier
