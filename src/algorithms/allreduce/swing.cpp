// SPDX-License-Identifier: Apache-2.0
//    step    0      1      2          Ranks on a ring meet those at a distance of 1, 1, 3, 5, 11, ..., each to the other
//    rank 0  1      7      3          side than the one before: all log2 p steps stay nearer than those of a hypercube.
//    rank 1  0      2      6          First each step gives half of the blocks away and sums the other half; then the
//    rank 2  3      1      5          sums go back alike. The blocks that two ranks exchange lie apart.
#include <bit>

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

[[nodiscard]] int steps_among(Rank size) { return std::countr_zero(static_cast<unsigned>(size)); }

// 1, -1, 3, -5, 11, ...: the sum of (-2)^k up to the step.
[[nodiscard]] int swing(int step) { return (1 - (step % 2 == 0 ? -2 : 2) * (1 << step)) / 3; }

[[nodiscard]] Rank partner_of(Rank rank, int step, Rank size) {
  return wrap(std::int64_t{rank} + (rank % 2 == 0 ? swing(step) : -swing(step)), size);
}

// The blocks that a rank answers for before a step: the first half it keeps, the other half is its partner's.
[[nodiscard]] std::vector<std::int32_t> blocks_before(int step, Rank rank, Rank size) {
  if (step == steps_among(size)) return {rank};
  std::vector<std::int32_t> blocks = blocks_before(step + 1, rank, size);
  const std::vector<std::int32_t> given = blocks_before(step + 1, partner_of(rank, step, size), size);
  blocks.insert(blocks.end(), given.begin(), given.end());
  return blocks;
}

[[nodiscard]] Stream reduce_scatter(Builder& b) {
  Stream sum = b.input(b.listed(blocks_before(0, b.rank(), b.size())));
  for (int step = 0; step < steps_among(b.size()); ++step) {
    const Rank partner = partner_of(b.rank(), step, b.size());
    const int half = sum.blocks() / 2;
    const Stream mine = sum.part(0, half);
    b.send(partner, sum.part(half, half));
    sum = b.reduce_in_rank_order(partner, mine, b.recv(partner, mine.labels));
  }
  return sum;
}

[[nodiscard]] Bundle allgather(Builder& b, const Stream& sum) {
  Bundle blocks{sum};
  for (int step = steps_among(b.size()) - 1; step >= 0; --step) {
    const Rank partner = partner_of(b.rank(), step, b.size());
    b.send(partner, blocks);
    blocks.push_back(b.recv(partner, b.listed(blocks_before(step + 1, partner, b.size()))));
  }
  return blocks;
}

void build(Builder& b) {
  b.cut(b.size());
  b.merge_streams();
  const Stream sum = reduce_scatter(b);
  b.output(allgather(b, sum));
}

}  // namespace

extern const Algorithm allreduce_swing{
    .name = "swing",
    .collective = Collective::allreduce,
    .description =
        "reduce-scatter and allgather among ranks of a ring, near ones first, now to one side, now to the other",
    .source = "De Sensi, Bonato, Saam, Hoefler: Swing: short-cutting rings for higher bandwidth allreduce, 2024",
    .order = {"swing"},
    .ranks = RankCounts::powers_of_two,
    .most_ranks = 4096,  // every rank lists the blocks of all
    .contender = {{.on = NetworkKind::torus}},
    .build = build,
};

}  // namespace espalier
