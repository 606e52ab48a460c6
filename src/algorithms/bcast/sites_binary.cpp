// SPDX-License-Identifier: Apache-2.0
//      0         3
//     / \       / \      The next site hangs below a leaf, which sends nothing else: each byte leaves a rank twice
//    1   2 = = 4   5     at most.
#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/site_trees.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { broadcast_down(b, site_tree(b.shape(), b.rank(), b.root(), 2, NextSite::below_last)); }

}  // namespace

extern const Algorithm bcast_sites_binary{
    .name = "sites_binary",
    .collective = Collective::bcast,
    .description = "a pipelined binary tree in each site, each fed by a leaf of the one before",
    .source = "paper 2, section 7, made fair",
    .differs_by_network = true,
    .build = build,
};

}  // namespace espalier
