// SPDX-License-Identifier: Apache-2.0
//    ... -> r-1 -> r -> r+1 -> ...        Each rank passes on the block that came last: p-1 steps, and every block crosses
//                                         every link but one. All steps are one stream, so neighbouring ones overlap.
#include "algorithms/shapes/ring.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Ring ring{b.rank(), b.size()};
  const Stream own = b.input();
  b.send(ring.right(), own.part(0, ring.size > 1 ? 1 : 0));
  const Stream others = b.recv(ring.left(), {ring.left(), ring.size - 1, -1});
  b.send(ring.right(), others.but_last());
  b.output(own);
  b.output(others);
}

}  // namespace

extern const Algorithm allgather_ring{
    .name = "ring",
    .collective = Collective::allgather,
    .description = "round a ring, in segments",
    .source = "Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005",
    .takes_uneven = true,
    .build = build,
};

}  // namespace espalier
