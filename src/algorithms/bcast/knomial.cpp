// SPDX-License-Identifier: Apache-2.0
//    0 ------> 4          The subtree that takes longest is served first. Radix 2, as drawn, is the binomial tree.
//    |\         \         .
//    1 2 -> 3    5 6 -> 7
#include "algorithms/algorithm.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { broadcast_down(b, tree_here(b, knomial_tree)); }

}  // namespace

extern const Algorithm bcast_knomial{
    .name = "knomial",
    .collective = Collective::bcast,
    .description = "k-nomial tree (radix 2: binomial), the farthest subtree first",
    .source =
        "Chan, Heimlich, Purkayastha, van de Geijn: Collective communication: theory, practice, and experience, 2007",
    .takes_radix = true,
    .is_baseline = true,
    .tree = knomial_tree,
    .build = build,
};

}  // namespace espalier
