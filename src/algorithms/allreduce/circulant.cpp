// SPDX-License-Identifier: Apache-2.0
//    reduce-scatter, then allgather       ceil(log2 p) steps each on the circulant graph, once away from a rank and once
//    r <-> r+3, r+2, r+1 (p = 6)          back: 2 (p-1)/p of the message leaves each rank, for any number of them.
#include "algorithms/algorithm.hpp"
#include "algorithms/then.hpp"

namespace espalier {

extern const Algorithm reduce_scatter_circulant, allgather_circulant;

extern const Algorithm allreduce_circulant{
    .name = "circulant",
    .collective = Collective::allreduce,
    .description = "reduce-scatter, then allgather, on a circulant graph: 2 ceil(log2 p) steps; any number of ranks",
    .source = "Träff: Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024",
    .order = {"circulant"},
    .build = then<reduce_scatter_circulant, allgather_circulant>,
};

}  // namespace espalier
