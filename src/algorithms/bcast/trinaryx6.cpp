// SPDX-License-Identifier: Apache-2.0
//    The trees of trinaryx3 and their mirror images, which use the same links in the other direction: every link of the root
//    sends, and the time of a long message is N / (2 D B).
#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"

namespace espalier {

namespace {

int axes_both_directions(const Network& network) { return both_directions(network).trees; }

void build(Builder& b) { over_trees(b, trees_on_torus(b, true), broadcast_down); }

}  // namespace

extern const Algorithm bcast_trinaryx6{
    .name = "trinaryx6",
    .collective = Collective::bcast,
    .description = "the trees of trinaryx3 and their mirror images: every link of the torus, in both directions",
    .source = "the mirror images of the trees of paper 1, section 4.1",
    .needs = Needs::torus,
    .disjoint_trees = axes_both_directions,
    .pipeline = both_directions,
    .contender = {{.on = NetworkKind::torus}},
    .build = build,
};

}  // namespace espalier
