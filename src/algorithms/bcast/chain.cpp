// SPDX-License-Identifier: Apache-2.0
//    0 -> 1 -> 2 -> 3 -> 4        Every port sends and receives each byte once: M/b for long messages, but p - 1 hops.
#include "algorithms/algorithm.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { broadcast_down(b, tree_here(b, complete<1>)); }

}  // namespace

extern const Algorithm bcast_chain{
    .name = "chain",
    .collective = Collective::bcast,
    .description = "segments flow along a chain of all ranks",
    .source = "pipelined chain; costs in paper 2, section 5.3",
    .tree = complete<1>,
    .build = build,
};

}  // namespace espalier
