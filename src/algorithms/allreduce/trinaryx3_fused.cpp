// SPDX-License-Identifier: Apache-2.0
//    Up the trees of bcast:trinaryx3 and down again, in one pipeline: sums climb on the links in the - sense while
//    earlier results descend on those in the + sense, so every link carries 1/D of the message once.
#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"

namespace espalier {

namespace {

Pipeline pipeline(const Network& network) {
  const Lattice& torus = network.torus()->lattice;
  return {.trees = torus.dimensions(), .height = 2 * torus_tree_height(torus), .passes = 2};
}

void build(Builder& b) { over_trees(b, trees_on_torus(b, false), reduce_and_broadcast); }

}  // namespace

extern const Algorithm allreduce_trinaryx3_fused{
    .name = "trinaryx3_fused",
    .collective = Collective::allreduce,
    .description = "up and down as many link-disjoint trees as the torus has axes, fused into one pipeline",
    .source = "paper 1, section 4.2, fused",
    .order = {"trinaryx3"},
    .needs = Needs::torus,
    .pipeline = pipeline,
    .contender = {{.on = NetworkKind::torus, .preference = 1}},
    .build = build,
};

}  // namespace espalier
