// SPDX-License-Identifier: Apache-2.0
//    step 0:  r -> r-1    0 | 0 1       After ceil(log2 p) steps, in each of which a rank hands on all that it has (in the
//    step 1:  r -> r-2    0 1 | 2 3     last one only what is missing), everybody has everything.
//    step 2:  r -> r-4    0 1 2 3 | 4 ...
#include "algorithms/algorithm.hpp"
#include "algorithms/allgather_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  std::vector<Rank> distances;
  for (std::int64_t distance = 1; distance < b.size(); distance *= 2) distances.push_back(static_cast<Rank>(distance));
  gather_over_distances(b, distances);
}

}  // namespace

extern const Algorithm allgather_bruck{
    .name = "bruck",
    .collective = Collective::allgather,
    .description = "ceil(log2 p) steps over doubling distances; any number of ranks",
    .source =
        "Bruck et al.: Efficient algorithms for all-to-all communications in multiport message-passing systems, 1997",
    .takes_uneven = true,
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
