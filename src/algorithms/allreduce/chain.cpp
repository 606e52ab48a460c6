// SPDX-License-Identifier: Apache-2.0
//    4 => 3 => 2 => 1 => 0        Sums climb a chain, segment by segment, and results descend it at once.
//      <=   <=   <=   <=
//
// One late rank had better stand next to the root: the others' sum lies there when it comes, and then each link carries
// the message once in each direction, which is half of what a ring takes. (The early ranks reduce while the late one is
// awaited, as in StragglAR; its own schedule needs pairs of ranks that exchange chunks, a chain needs neighbours
// alone.)
#include "algorithms/algorithm.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { reduce_and_broadcast(b, tree_here(b, complete<1>)); }

}  // namespace

extern const Algorithm allreduce_chain{
    .name = "chain",
    .collective = Collective::allreduce,
    .description = "reduce up and broadcast down one chain, fused into one pipeline; a late rank stands at its end",
    .source =
        "pipelined chain; for a steady straggler Devraj et al.: Accelerating AllReduce with a Persistent Straggler, "
        "2025",
    .order = {"chain"},
    .tree = complete<1>,
    .build = build,
};

}  // namespace espalier
