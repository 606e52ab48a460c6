// SPDX-License-Identifier: Apache-2.0
//    4 -> 3 -> 2 -> 1 -> 0        Segments pass every rank going to the root, which adds its own part.
#include "algorithms/algorithm.hpp"
#include "algorithms/chain_of_nodes.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { reduce_up(b, tree_here(b, complete<1>)); }

}  // namespace

extern const Algorithm reduce_chain{
    .name = "chain",
    .collective = Collective::reduce,
    .description = "segments are summed along a chain that ends at the root",
    .source = "pipelined chain; costs as in paper 1, equation 2",
    .order = {"chain"},
    .pipeline = chain_of_nodes,
    .contender = {{.on = NetworkKind::switches}},
    .tree = complete<1>,
    .build = build,
};

}  // namespace espalier
