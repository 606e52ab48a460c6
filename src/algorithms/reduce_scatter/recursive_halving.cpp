// SPDX-License-Identifier: Apache-2.0
//    0 <-----> 2              In each step a rank gives half of its blocks away and keeps the other half's sum: log2 p
//      1 <-----> 3            exchanges. What is more than a power of two of ranks gives all to a neighbour first, and
//    0 <-> 1   2 <-> 3        gets its block from it.
#include "algorithms/algorithm.hpp"
#include "algorithms/halving.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Hypercube cube(b.rank(), b.size());
  b.merge_streams();
  Stream sum = b.input();
  const Range own{b.rank(), 1};
  if (!cube.stays()) {
    b.send(cube.folded(), sum);
    return b.output(b.recv(cube.folded(), own));
  }
  if (cube.has_folded()) sum = b.reduce_in_rank_order(cube.folded(), sum, b.recv(cube.folded()));
  // The blocks of the ranks at a corner, and of those that have folded onto them.
  const auto blocks_of = [&](int corner, int count) {
    const Range corners = blocks_of_subcube(corner, count);
    const Rank first = cube.vrank_of(corners.first);
    return Range{first, cube.vrank_of(corners.first + corners.count) - first};
  };
  sum = reduce_scatter_by_halving(b, cube, sum, blocks_of);
  if (cube.has_folded()) b.send(cube.folded(), sum.at({cube.folded(), 1}));
  b.output(sum.at(own));
}

}  // namespace

extern const Algorithm reduce_scatter_recursive_halving{
    .name = "recursive_halving",
    .collective = Collective::reduce_scatter,
    .description = "pairwise exchanges over halving distances; any number of ranks",
    .source = "Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005",
    .order = {"halving"},
    .takes_uneven = true,
    .is_baseline = true,
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
