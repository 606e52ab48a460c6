// SPDX-License-Identifier: Apache-2.0
//    For any graph of nodes: as many trees that share no arc as there are routes from the root to the node that is worst
//    off, each with a part of the message.
#include <algorithm>

#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"

namespace espalier {

namespace {

// By Edmonds' theorem, without packing them.
int routes_from_root(const Network& network) {
  return std::min(minimum_cut(network.nodes(), network.arcs(), 0), max_packed_trees);
}

void build(Builder& b) { over_trees(b, packed_trees(b, b.root()), broadcast_down); }

}  // namespace

extern const Algorithm bcast_packed{
    .name = "packed",
    .collective = Collective::bcast,
    .description = "as many arc-disjoint trees as the graph of nodes has, each with a part of the message",
    .source = "Edmonds: Edge-disjoint branchings, 1973; Lovasz 1976",
    .needs = Needs::graph,
    .disjoint_trees = routes_from_root,
    .contender = {{.on = NetworkKind::graph, .pipeline = over_packed_trees}},
    .build = build,
};

}  // namespace espalier
