// SPDX-License-Identifier: Apache-2.0
//    ... -> r-1 -> r -> r+1 -> ...        Block r starts at rank r and is summed once round the ring; then the sums go
//    reduce-scatter, then allgather       round once more. 2 (p-1)/p of the message crosses each link. All steps are one
//                                         stream, cut in segments, so neighbouring steps overlap.
#include "algorithms/shapes/ring.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Ring ring{b.rank(), b.size()};
  b.cut(ring.size);
  if (ring.size == 1) return b.output(b.input());

  const Range backwards{ring.me, ring.size, -1};  // the blocks in the order in which they pass by
  b.send(ring.right(), b.input(backwards.head()));
  const Stream sum = b.reduce(b.recv(ring.left(), backwards.rest()), b.input(backwards.rest()));
  b.send(ring.right(), sum.but_last());
  b.output(sum.last());

  b.send(ring.right(), sum.last());
  const Stream sums = b.recv(ring.left(), {ring.me, ring.size - 1, -1});
  b.send(ring.right(), sums.but_last());
  b.output(sums);
}

}  // namespace

extern const Algorithm allreduce_ring{
    .name = "ring",
    .collective = Collective::allreduce,
    .description = "reduce-scatter and allgather round a ring, in segments",
    .source = "Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009",
    .order = {"ring"},
    .contender = {{.on = NetworkKind::switches, .preference = 2}},
    .rule = {{.min_ranks = 4,
              .min_bytes = 512 << 10,
              .reason = "large message: a ring moves the least data and shares the arithmetic among all ranks"}},
    .build = build,
};

}  // namespace espalier
