// SPDX-License-Identifier: Apache-2.0
//    0 <-> 1   2 <-> 3        log2 p exchanges with ranks ever farther away. A partner's sum of lower ranks always
//    0 <-----> 2              stands left, so the result has its operands in rank order, and its bits are those of the
//      1 <-----> 3            binomial tree.
#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/hypercube.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Hypercube cube(b.rank(), b.size());
  Stream sum = b.input();
  if (!cube.stays()) {
    b.send(cube.folded(), sum);
    return b.output(b.recv(cube.folded()));
  }
  if (cube.has_folded()) sum = b.reduce_in_rank_order(cube.folded(), sum, b.recv(cube.folded()));
  for (int distance = 1; distance < cube.corners(); distance *= 2) {
    const Rank partner = cube.across(distance);
    b.send(partner, sum);
    sum = b.reduce_in_rank_order(partner, sum, b.recv(partner));
  }
  if (cube.has_folded()) b.send(cube.folded(), sum);
  b.output(sum);
}

}  // namespace

extern const Algorithm allreduce_recursive_doubling{
    .name = "recursive_doubling",
    .collective = Collective::allreduce,
    .description = "pairwise exchanges over doubling distances; any number of ranks, in rank order",
    .source = "Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005",
    .order = {"recursive_doubling"},
    .keeps_rank_order = true,
    .is_baseline = true,
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
