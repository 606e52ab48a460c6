// SPDX-License-Identifier: Apache-2.0
//    0 - 1 - 2 = = 3 - 4 - 5      = =: from site to site, once.
#include "algorithms/algorithm.hpp"
#include "algorithms/chain_of_nodes.hpp"
#include "algorithms/shapes/site_trees.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { broadcast_down(b, site_tree(b.shape(), b.rank(), b.root(), 1, NextSite::below_last)); }

}  // namespace

extern const Algorithm bcast_sites_chain{
    .name = "sites_chain",
    .collective = Collective::bcast,
    .description = "a pipelined chain through the nodes of one site after the other",
    .source = "paper 2, section 7",
    .differs_by_network = true,
    .pipeline = chain_of_nodes,
    .contender = {{.on = NetworkKind::switches, .preference = 1}},
    .build = build,
};

}  // namespace espalier
