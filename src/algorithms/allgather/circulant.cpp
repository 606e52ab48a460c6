// SPDX-License-Identifier: Apache-2.0
//    p = 6, step 0:  r -> r-1    0 | 1            As Bruck's, over the distances of the circulant graph, each about half
//           step 1:  r -> r-2    0 1 | 2          of the next one: what goes in the last step is half of all, for any
//           step 2:  r -> r-3    0 1 2 | 3 4 5    number of ranks.
#include "algorithms/shapes/circulant.hpp"

#include "algorithms/algorithm.hpp"
#include "algorithms/allgather_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Circulant graph(b.size());
  std::vector<Rank> distances;
  for (int phase = 0; phase < graph.phases(); ++phase) distances.push_back(graph.skip(phase));
  gather_over_distances(b, distances);
}

}  // namespace

extern const Algorithm allgather_circulant{
    .name = "circulant",
    .collective = Collective::allgather,
    .description = "ceil(log2 p) steps on a circulant graph; any number of ranks",
    .source = "Träff: Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024",
    .takes_uneven = true,
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
