// SPDX-License-Identifier: Apache-2.0
//    Each axis of the torus has a tree that shares no link with the others (shapes/torus_trees.hpp); each tree carries
//    its part of the message in segments. In three dimensions the root sends on three of its six links.
#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"

namespace espalier {

namespace {

int axes(const Network& network) { return network.torus()->lattice.dimensions(); }

void build(Builder& b) { over_trees(b, trees_on_torus(b, false), broadcast_down); }

}  // namespace

extern const Algorithm bcast_trinaryx3{
    .name = "trinaryx3",
    .collective = Collective::bcast,
    .description = "as many link-disjoint trees as the torus has axes, each with a part of the message",
    .source = "paper 1, section 4.1 (the trees: Simmen 1991, Barnett et al. 1996)",
    .needs = Needs::torus,
    .disjoint_trees = axes,
    .pipeline = one_direction,
    .build = build,
};

}  // namespace espalier
