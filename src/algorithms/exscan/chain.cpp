// SPDX-License-Identifier: Apache-2.0
//    0 -> 1 -> 2 -> 3 -> 4        What comes from below is a rank's result; it passes that on with its own part added,
//                                 segment by segment.
#include "algorithms/algorithm.hpp"
#include "algorithms/chain_of_nodes.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const bool is_last = b.rank() + 1 == b.size();
  const Stream own = b.input();
  if (b.rank() == 0) return is_last ? void() : b.send(1, own);
  const Stream below = b.recv(b.rank() - 1);
  if (!is_last) b.send(b.rank() + 1, b.reduce(below, own));
  b.output(below);
}

}  // namespace

extern const Algorithm exscan_chain{
    .name = "chain",
    .collective = Collective::exscan,
    .description = "segments are summed along the chain of all ranks; each keeps what comes to it",
    .source = "pipelined chain; costs as in paper 1, equation 2",
    .order = {"prefix_chain_before"},
    .keeps_rank_order = true,
    .pipeline = chain_of_nodes,
    .contender = {{.on = NetworkKind::switches}},
    .build = build,
};

}  // namespace espalier
