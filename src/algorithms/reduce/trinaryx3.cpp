// SPDX-License-Identifier: Apache-2.0
//    Up the trees of bcast:trinaryx3: each node adds what its children send, the lowest child first.
#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { over_trees(b, trees_on_torus(b, false), reduce_up); }

}  // namespace

extern const Algorithm reduce_trinaryx3{
    .name = "trinaryx3",
    .collective = Collective::reduce,
    .description = "partial sums climb as many link-disjoint trees as the torus has axes",
    .source = "paper 1, section 4.2",
    .order = {"trinaryx3"},
    .needs = Needs::torus,
    .pipeline = one_direction,
    .build = build,
};

}  // namespace espalier
