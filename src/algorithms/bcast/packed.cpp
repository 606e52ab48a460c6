// SPDX-License-Identifier: Apache-2.0
//    For any graph of nodes: as many trees that share no arc as there are routes from the root to the node that is worst
//    off, each with a part of the message.
#include <algorithm>

#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"

namespace espalier {

namespace {

int trees_of_packing(const Network& network) { return network.packing(0).trees(); }

void build(Builder& b) { over_trees(b, packed_trees(b, b.root()), broadcast_down); }

}  // namespace

extern const Algorithm bcast_packed{
    .name = "packed",
    .collective = Collective::bcast,
    .description = "as many arc-disjoint trees as the graph of nodes has, each with a part of the message",
    .source = "Edmonds: Edge-disjoint branchings, 1973; Lovasz 1976",
    .needs = Needs::graph,
    .disjoint_trees = trees_of_packing,
    .pipeline = over_packed_trees,
    .contender = {{.on = NetworkKind::graph}},
    .build = build,
};

}  // namespace espalier
