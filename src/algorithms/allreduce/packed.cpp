// SPDX-License-Identifier: Apache-2.0
//    Up and down the trees of bcast:packed from a central node, in one pipeline. Two trees may use a link in opposite directions, so a link may carry two parts in each direction.
#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"

namespace espalier {

namespace {

Pipeline pipeline(const Network& network) {
  const Pipeline down = over_packed_trees(network);
  return {.trees = down.trees, .height = 2 * down.height, .passes = 2, .streams = 2};
}

void build(Builder& b) {
  const Network& network = *b.shape().network;
  over_trees(b, packed_trees(b, network.ranks_on(central_node(network)).front()), reduce_and_broadcast);
}

}  // namespace

extern const Algorithm allreduce_packed{
    .name = "packed",
    .collective = Collective::allreduce,
    .description = "up and down arc-disjoint trees from a central node, fused into one pipeline",
    .source = "Edmonds: Edge-disjoint branchings, 1973; Lovasz 1976",
    .order = {"packed_from_centre"},
    .needs = Needs::graph,
    .pipeline = pipeline,
    .contender = {{.on = NetworkKind::graph}},
    .build = build,
};

}  // namespace espalier
