// SPDX-License-Identifier: Apache-2.0
//    step 0:  r -> r+1       log2 p steps over doubling distances. A rank's sum is of the ranks up to its own, as many as
//    step 1:  r -> r+2       the distance; what comes to it is of those just before them, so it stands left. Who is too
//    step 2:  r -> r+4       low for a step has all of them already, and only sends.
#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  Stream sum = b.input();
  for (std::int64_t distance = 1; distance < b.size(); distance *= 2) {
    const std::int64_t above = b.rank() + distance, below = b.rank() - distance;
    if (above < b.size()) b.send(static_cast<Rank>(above), sum);
    if (below >= 0) sum = b.reduce(b.recv(static_cast<Rank>(below)), sum);
  }
  b.output(sum);
}

}  // namespace

extern const Algorithm scan_recursive_doubling{
    .name = "recursive_doubling",
    .collective = Collective::scan,
    .description = "ceil(log2 p) rounds over doubling distances; any number of ranks, in rank order",
    .source = "Hillis, Steele: Data parallel algorithms, 1986",
    .order = {"prefix_doubling"},
    .keeps_rank_order = true,
    .is_baseline = true,
    .build = build,
};

}  // namespace espalier
