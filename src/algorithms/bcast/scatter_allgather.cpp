// SPDX-License-Identifier: Apache-2.0
//    scatter down a binomial tree:   0 -> 4..7, 0 -> 2..3, 4 -> 6..7, ...   each rank is left with the blocks below it
//    allgather round a ring:         0 -> 1 -> 2 -> ... -> p-1              only the blocks that the right one lacks
#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

// The blocks of a binomial subtree whose top is at `vrank`.
Range subtree(Rank vrank, Rank size) {
  const int reach = vrank > 0 ? vrank & -vrank : size;
  return {vrank, std::min(reach, size - vrank)};
}

Stream scatter(Builder& b, Rank vrank) {
  const auto rank_at = [&](Rank other) { return wrap(std::int64_t{other} + b.root(), b.size()); };
  const Range mine = subtree(vrank, b.size());
  const Stream part = vrank > 0 ? b.recv(rank_at(vrank & (vrank - 1)), mine) : b.input();
  int reach = 1;
  while (reach < mine.count) reach *= 2;
  for (int distance = reach / 2; distance >= 1; distance /= 2) {
    if (distance >= mine.count) continue;
    b.send(rank_at(vrank + distance), part.at(subtree(vrank + distance, b.size())));
  }
  return part;
}

// Blocks travel in descending order: a rank's own, what comes from the left, and then others of its subtree.
void allgather(Builder& b, Rank vrank, const Stream& part) {
  const Rank left = wrap(std::int64_t{b.rank()} - 1, b.size());
  const Rank right = wrap(std::int64_t{b.rank()} + 1, b.size());
  const auto lacking = [&](Rank at) { return b.size() - subtree(at, b.size()).count; };

  const Stream from_left = b.recv(left, {vrank - 1, lacking(vrank), -1});
  if (vrank + 1 < b.size()) {
    const int wanted = lacking(vrank + 1) - 1;
    const int relayed = std::min(wanted, from_left.blocks());
    b.send(right, part.at({vrank, 1}));
    b.send(right, from_left.part(0, relayed));
    b.send(right, part.at({wrap(std::int64_t{vrank} - 1 - relayed, b.size()), wanted - relayed, -1}));
  }
  b.output(part);
  b.output(from_left);
}

void build(Builder& b) {
  b.cut(b.size());
  const Rank vrank = wrap(std::int64_t{b.rank()} - b.root(), b.size());
  b.merge_streams();
  const Stream part = scatter(b, vrank);
  b.merge_streams(false);
  allgather(b, vrank, part);
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
