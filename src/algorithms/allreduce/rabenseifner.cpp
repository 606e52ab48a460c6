// SPDX-License-Identifier: Apache-2.0
//    reduce-scatter by recursive halving, then allgather by recursive doubling:
//    2 log2 p steps, and only twice the bytes of the message cross each port.
#include "algorithms/algorithm.hpp"
#include "algorithms/halving.hpp"

namespace espalier {

namespace {

Bundle allgather_by_doubling(Builder& b, const Hypercube& cube, Bundle blocks) {
  for (int distance = 1; distance < cube.corners(); distance *= 2) {
    const Rank partner = cube.across(distance);
    b.send(partner, blocks);
    const Stream theirs = b.recv(partner, blocks_of_subcube(cube.corner() ^ distance, distance));
    blocks.insert(cube.corner() & distance ? blocks.begin() : blocks.end(), theirs);
  }
  return blocks;
}

void build(Builder& b) {
  const Hypercube cube(b.rank(), b.size());
  b.cut(cube.corners());
  b.merge_streams();
  Stream sum = b.input();
  if (!cube.stays()) {
    b.send(cube.folded(), sum);
    return b.output(b.recv(cube.folded()));
  }
  if (cube.has_folded()) sum = b.reduce_in_rank_order(cube.folded(), sum, b.recv(cube.folded()));
  const Bundle all = allgather_by_doubling(b, cube, {reduce_scatter_by_halving(b, cube, sum)});
  if (cube.has_folded()) b.send(cube.folded(), all);
  b.output(all);
}

}  // namespace

extern const Algorithm allreduce_rabenseifner{
    .name = "rabenseifner",
    .collective = Collective::allreduce,
    .description = "reduce-scatter by recursive halving, then allgather by recursive doubling",
    .source = "Rabenseifner: Optimization of collective reduction operations, 2004",
    .order = {"halving"},
    .contender = {{.on = NetworkKind::switches, .preference = 1}},
    .is_baseline = true,
    .build = build,
};

}  // namespace espalier
