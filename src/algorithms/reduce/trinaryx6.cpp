// SPDX-License-Identifier: Apache-2.0
//    Up the trees of bcast:trinaryx6.
#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { over_trees(b, trees_on_torus(b, true), reduce_up); }

}  // namespace

extern const Algorithm reduce_trinaryx6{
    .name = "trinaryx6",
    .collective = Collective::reduce,
    .description = "partial sums climb the trees of trinaryx3 and their mirror images",
    .source = "the mirror images of the trees of paper 1, section 4.1",
    .order = {"trinaryx6"},
    .needs = Needs::torus,
    .pipeline = both_directions,
    .contender = {{.on = NetworkKind::torus}},
    .build = build,
};

}  // namespace espalier
