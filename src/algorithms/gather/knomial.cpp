// SPDX-License-Identifier: Apache-2.0
//    0 <------ 4          Each rank waits for the blocks of those below it and hands all of them on at once. Radix 2, as
//    |\         \         drawn, is the binomial tree.
//    1 2 <- 3    5 6 <- 7
#include "algorithms/algorithm.hpp"
#include "algorithms/block_trees.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Bundle all = gather_up(b);
  if (b.is_root()) b.output(all);
}

}  // namespace

extern const Algorithm gather_knomial{
    .name = "knomial",
    .collective = Collective::gather,
    .description = "up a k-nomial tree (radix 2: binomial), each rank's blocks as one message; for short ones",
    .source = block_trees_source,
    .takes_radix = true,
    .is_baseline = true,
    .build = build,
};

}  // namespace espalier
