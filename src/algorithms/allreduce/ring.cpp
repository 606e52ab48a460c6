// SPDX-License-Identifier: Apache-2.0
//    ... -> r-1 -> r -> r+1 -> ...        Each block is summed once round the ring, then its sum goes round once more.
//    reduce-scatter, then allgather       2 (p-1)/p of the message crosses each link. All steps are one stream, cut in
//                                         segments, so neighbouring steps overlap.
#include "algorithms/algorithm.hpp"
#include "algorithms/then.hpp"

namespace espalier {

extern const Algorithm reduce_scatter_ring, allgather_ring;

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
    .build = then<reduce_scatter_ring, allgather_ring>,
};

}  // namespace espalier
