// SPDX-License-Identifier: Apache-2.0
//    p = 8:  r -> r+4   r            Blocks by the rank that they are of. Far away goes little, and much only to the
//            r -> r+2   r r-4        neighbour, in messages of no more blocks than make a segment: ceil(log2 p) steps for
//            r -> r+1   r r-4 r-2 r-6    short blocks, and for long ones a stream that takes little memory.
#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/aggregated_trees.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const auto at = [&](int distance) { return wrap(std::int64_t{b.rank()} + distance, b.size()); };
  Bundle blocks(static_cast<std::size_t>(b.size()));  // by how far the rank that they are of is before this one
  blocks[0] = b.input();
  for (const AggregatedMessage& message : aggregated_messages(b.size(), b.size() / b.pieces())) {
    b.merge_streams(message.count > 1);
    Bundle leaving;
    for (int k = 0; k < message.count; ++k) leaving.push_back(blocks[message.place(k)]);
    b.send(at(message.distance), leaving);
    const Rank first = message.place(0) + message.distance;
    const Stream came =
        b.recv(at(-message.distance), {.first = at(-first), .count = message.count, .step = -2 * message.distance});
    for (int k = 0; k < message.count; ++k) blocks[message.place(k) + message.distance] = came.part(k);
  }
  b.output(blocks);
}

}  // namespace

extern const Algorithm allgather_pat{
    .name = "pat",
    .collective = Collective::allgather,
    .description = "binomial trees from all ranks, the far steps first; together go blocks of a segment at most",
    .source = "Jeaugey: PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025",
    .takes_pieces = true,
    .takes_uneven = true,
    .most_ranks = 1 << 15,  // as many messages as blocks, where a block is as long as a segment
    .build = build,
};

}  // namespace espalier
