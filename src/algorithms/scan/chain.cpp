// SPDX-License-Identifier: Apache-2.0
//    0 -> 1 -> 2 -> 3 -> 4        Each rank adds its own part to what comes from below, which is its result, and passes it
//                                 on, segment by segment.
#include "algorithms/algorithm.hpp"
#include "algorithms/chain_of_nodes.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  Stream sum = b.input();
  if (b.rank() > 0) sum = b.reduce(b.recv(b.rank() - 1), sum);
  if (b.rank() + 1 < b.size()) b.send(b.rank() + 1, sum);
  b.output(sum);
}

}  // namespace

extern const Algorithm scan_chain{
    .name = "chain",
    .collective = Collective::scan,
    .description = "segments are summed along the chain of all ranks; each keeps what it passes on",
    .source = "pipelined chain; costs as in paper 1, equation 2",
    .order = {"prefix_chain"},
    .keeps_rank_order = true,
    .pipeline = chain_of_nodes,
    .contender = {{.on = NetworkKind::switches}},
    .build = build,
};

}  // namespace espalier
