// SPDX-License-Identifier: Apache-2.0
//    reduce-scatter by recursive halving, then the blocks are gathered to the root up a binomial tree:
//    twice the bytes of the message cross each port, and the arithmetic is shared by all ranks.
#include "algorithms/algorithm.hpp"
#include "algorithms/halving.hpp"

namespace espalier {

namespace {

// Corner 0 is the root: virtual ranks are counted from it.
void gather(Builder& b, const Hypercube& cube, Bundle blocks) {
  for (int distance = 1; distance < cube.corners(); distance *= 2) {
    const Rank partner = cube.across(distance);
    if (cube.corner() & distance) return b.send(partner, blocks);
    blocks.push_back(b.recv(partner, blocks_of_subcube(cube.corner() ^ distance, distance)));
  }
  b.output(blocks);
}

void build(Builder& b) {
  const Hypercube cube(b.rank(), b.size(), b.root());
  b.cut(cube.corners());
  b.merge_streams();
  Stream sum = b.input();
  if (!cube.stays()) return b.send(cube.folded(), sum);
  if (cube.has_folded()) sum = b.reduce_in_rank_order(cube.folded(), sum, b.recv(cube.folded()));
  gather(b, cube, {reduce_scatter_by_halving(b, cube, sum)});
}

}  // namespace

extern const Algorithm reduce_rabenseifner{
    .name = "rabenseifner",
    .collective = Collective::reduce,
    .description = "reduce-scatter by recursive halving, then gather to the root",
    .source = "Rabenseifner: Optimization of collective reduction operations, 2004",
    .order = {"halving"},
    .contender = {{.on = NetworkKind::switches, .preference = 1}},
    .rule = {{.min_ranks = 4,
              .min_bytes = 512 << 10,
              .reason =
                  "large message: reduce-scatter and gather share the arithmetic and the traffic among all ranks"}},
    .is_baseline = true,
    .build = build,
};

}  // namespace espalier
