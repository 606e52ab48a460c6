// SPDX-License-Identifier: Apache-2.0
//    ... -> r-1 -> r -> r+1 -> ...        Block r starts at rank r+1 and is summed once round the ring, until it comes to
//                                         rank r. All steps are one stream, so neighbouring ones overlap.
#include "algorithms/shapes/ring.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Ring ring{b.rank(), b.size()};
  if (ring.size == 1) return b.output(b.input());
  const Range backwards{ring.left(), ring.size, -1};  // the blocks in the order in which they pass by; the own one last
  b.send(ring.right(), b.input(backwards.head()));
  const Stream sum = b.reduce(b.recv(ring.left(), backwards.rest()), b.input(backwards.rest()));
  b.send(ring.right(), sum.but_last());
  b.output(sum.last());
}

}  // namespace

extern const Algorithm reduce_scatter_ring{
    .name = "ring",
    .collective = Collective::reduce_scatter,
    .description = "round a ring, in segments",
    .source = "Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009",
    .order = {"ring"},
    .takes_uneven = true,
    .build = build,
};

}  // namespace espalier
