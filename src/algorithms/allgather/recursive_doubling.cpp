// SPDX-License-Identifier: Apache-2.0
//    0 <-> 1   2 <-> 3        log2 p exchanges with ranks ever farther away, of all that each has. What is more than a
//    0 <-----> 2              power of two of ranks gives its block to a neighbour first, and gets all from it.
//      1 <-----> 3
#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/hypercube.hpp"

namespace espalier {

namespace {

// The blocks of the ranks at `count` corners, and of those that have folded onto them.
Range blocks_at(const Hypercube& cube, int corner, int count) {
  const int first = corner / count * count;
  return {cube.vrank_of(first), cube.vrank_of(first + count) - cube.vrank_of(first)};
}

void build(Builder& b) {
  const Hypercube cube(b.rank(), b.size());
  b.merge_streams();
  if (!cube.stays()) {
    b.send(cube.folded(), b.input());
    return b.output(b.recv(cube.folded(), {0, b.size()}));
  }
  Bundle mine{b.input()};
  if (cube.has_folded()) mine.push_back(b.recv(cube.folded(), {cube.folded(), 1}));
  for (int distance = 1; distance < cube.corners(); distance *= 2) {
    const Rank partner = cube.across(distance);
    b.send(partner, mine);
    const Stream theirs = b.recv(partner, blocks_at(cube, cube.corner() ^ distance, distance));
    mine.insert(cube.corner() & distance ? mine.begin() : mine.end(), theirs);
  }
  if (cube.has_folded()) b.send(cube.folded(), mine);
  b.output(mine);
}

}  // namespace

extern const Algorithm allgather_recursive_doubling{
    .name = "recursive_doubling",
    .collective = Collective::allgather,
    .description = "pairwise exchanges over doubling distances; any number of ranks",
    .source = "Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005",
    .takes_uneven = true,
    .is_baseline = true,
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
