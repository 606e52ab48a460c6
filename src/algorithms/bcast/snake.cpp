// SPDX-License-Identifier: Apache-2.0
//    0 > 1 > 2        A chain of all nodes of a torus along its links (shapes/snake.hpp): each port sends and receives
//            v        each byte once, M/b for long messages, in whatever order the ranks are. The other ranks of a node
//    5 < 4 < 3        hang below the one that is on the path.
#include "algorithms/shapes/snake.hpp"

#include "algorithms/algorithm.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

Pipeline pipeline(const Network& network) { return {.height = network.nodes() - 1}; }

void build(Builder& b) {
  const Network& network = *b.shape().network;
  const NodeTree path = snake(*network.torus(), network.node_of(b.rank()), network.node_of(b.root()));
  broadcast_down(b, tree_over_ranks(network, path, b.rank(), b.root()));
}

}  // namespace

extern const Algorithm bcast_snake{
    .name = "snake",
    .collective = Collective::bcast,
    .description = "segments flow along a path through all nodes of the torus, from neighbour to neighbour",
    .source = "pipelined chain; the path is the reflected Gray code: Knuth, TAOCP 4A, section 7.2.1.1",
    .needs = Needs::torus,
    .pipeline = pipeline,
    .build = build,
};

}  // namespace espalier
