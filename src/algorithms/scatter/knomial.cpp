// SPDX-License-Identifier: Apache-2.0
//    0 ------> 4          Each rank gets the blocks of all below it as one message, and hands them on. Radix 2, as
//    |\         \         drawn, is the binomial tree.
//    1 2 -> 3    5 6 -> 7
#include "algorithms/algorithm.hpp"
#include "algorithms/block_trees.hpp"

namespace espalier {

namespace {

void build(Builder& b) { b.output(scatter_down(b).part(0)); }

}  // namespace

extern const Algorithm scatter_knomial{
    .name = "knomial",
    .collective = Collective::scatter,
    .description = "down a k-nomial tree (radix 2: binomial), each rank's blocks as one message; for short ones",
    .source = block_trees_source,
    .takes_radix = true,
    .is_baseline = true,
    .build = build,
};

}  // namespace espalier
