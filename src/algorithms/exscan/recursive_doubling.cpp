// SPDX-License-Identifier: Apache-2.0
//    step 0:  r -> r+1       log2 p steps over doubling distances, as in a scan. What comes to a rank is of those just
//    step 1:  r -> r+2       before the ones that it has; its result leaves its own part out.
//    step 2:  r -> r+4
#include <optional>

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  Stream sum = b.input();
  std::optional<Stream> before;  // the sum without the rank's own part
  for (std::int64_t distance = 1; distance < b.size(); distance *= 2) {
    const std::int64_t above = b.rank() + distance, below = b.rank() - distance;
    if (above < b.size()) b.send(static_cast<Rank>(above), sum);
    if (below < 0) continue;
    const Stream theirs = b.recv(static_cast<Rank>(below));
    before = before ? b.reduce(theirs, *before) : theirs;
    if (b.rank() + 2 * distance < b.size()) sum = b.reduce(theirs, sum);
  }
  if (before) b.output(*before);
}

}  // namespace

extern const Algorithm exscan_recursive_doubling{
    .name = "recursive_doubling",
    .collective = Collective::exscan,
    .description = "ceil(log2 p) rounds over doubling distances; any number of ranks, in rank order",
    .source = "Hillis, Steele: Data parallel algorithms, 1986",
    .order = {"prefix_doubling_before"},
    .keeps_rank_order = true,
    .is_baseline = true,
    .build = build,
};

}  // namespace espalier
