// SPDX-License-Identifier: Apache-2.0
//    ... -> r-1 -> r -> r+1 -> ...        Each rank passes on the block that arrived last: p-1 steps, and every block crosses
//                                         every link but one. All steps are one stream, so neighbouring ones overlap.
#include "algorithms/algorithm.hpp"
#include "algorithms/allgather_flows.hpp"

namespace espalier {

extern const Algorithm allgather_ring{
    .name = "ring",
    .collective = Collective::allgather,
    .description = "round a ring, in segments",
    .source = "Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005",
    .takes_uneven = true,
    .build = gather_round_the_ring,
};

}  // namespace espalier
