// SPDX-License-Identifier: Apache-2.0
//    Up the trees of bcast:packed.
#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { over_trees(b, packed_trees(b, b.root()), reduce_up); }

}  // namespace

extern const Algorithm reduce_packed{
    .name = "packed",
    .collective = Collective::reduce,
    .description = "partial sums climb as many arc-disjoint trees as the graph of nodes has",
    .source = "Edmonds: Edge-disjoint branchings, 1973; Lovasz 1976",
    .order = {"packed"},
    .needs = Needs::graph,
    .pipeline = over_packed_trees,
    .contender = {{.on = NetworkKind::graph}},
    .build = build,
};

}  // namespace espalier
