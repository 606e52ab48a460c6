// SPDX-License-Identifier: Apache-2.0
//    p = 8:  r -> r-1   r-1 r-3 r-5 r-7    allgather:pat backwards: the sums of blocks climb the same trees, the near
//            r -> r-2   r-2 r-6            steps first, and what comes is added to what the rank has of that block.
//            r -> r-4   r-4

#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/aggregated_trees.hpp"
#include "core/reversed.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const auto at = [&](int distance) { return wrap(std::int64_t{b.rank()} + distance, b.size()); };
  Bundle sums;  // by how far the rank that they are for is before this one
  for (Rank place = 0; place < b.size(); ++place) sums.push_back(b.input({at(-place), 1}));
  const auto messages = aggregated_messages(b.size(), b.size() / b.pieces());
  for (const AggregatedMessage& message : reversed(messages)) {
    b.merge_streams(message.count > 1);
    Bundle leaving;
    for (int k = 0; k < message.count; ++k) leaving.push_back(sums[message.place(k) + message.distance]);
    b.send(at(-message.distance), leaving);
    const Stream came = b.recv(at(message.distance),
                               {.first = at(-message.first), .count = message.count, .step = -2 * message.distance});
    for (int k = 0; k < message.count; ++k) {
      Stream& sum = sums[message.place(k)];
      Stream theirs = came.part(k);
      theirs.labels = sum.labels;  // the same
      sum = b.reduce(sum, theirs);
    }
  }
  b.output(sums.front());
}

}  // namespace

extern const Algorithm reduce_scatter_pat{
    .name = "pat",
    .collective = Collective::reduce_scatter,
    .description = "binomial trees to all ranks, the near steps first; together go blocks of a segment at most",
    .source = "Jeaugey: PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025",
    .order = {"binomial_to_owner"},
    .takes_pieces = true,
    .takes_uneven = true,
    .most_ranks = 1 << 15,  // as many messages as blocks, where a block is as long as a segment
    .build = build,
};

}  // namespace espalier
