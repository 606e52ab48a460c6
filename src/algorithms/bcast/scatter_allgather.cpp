// SPDX-License-Identifier: Apache-2.0
//    scatter down a binomial tree:   0 -> 4..7, 0 -> 2..3, 4 -> 6..7, ...   each rank is left with the blocks below it
//    allgather round a ring:         0 -> 1 -> 2 -> ... -> p-1              only the blocks that the right one lacks
#include "algorithms/algorithm.hpp"
#include "algorithms/scatter_allgather_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  b.cut(b.size());
  const Rank vrank = wrap(std::int64_t{b.rank()} - b.root(), b.size());
  const auto rank_at = [&b](Rank place) { return wrap(std::int64_t{place} + b.root(), b.size()); };
  const Stream part = scatter_down(b, vrank, b.size(), rank_at);
  const Stream from_left = gather_round(b, vrank, b.size(), part, rank_at);
  b.output(part);
  b.output(from_left);
}

}  // namespace

extern const Algorithm bcast_scatter_allgather{
    .name = "scatter_allgather",
    .collective = Collective::bcast,
    .description = "scatter down a binomial tree, then allgather round a ring",
    .source = "Barnett et al.: Interprocessor collective communication library, 1994; the ring as in Zhou et al., 2015",
    .contender = {{.on = NetworkKind::switches}},
    .is_baseline = true,
    .build = build,
};

}  // namespace espalier
