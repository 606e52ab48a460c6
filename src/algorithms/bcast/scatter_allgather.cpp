// SPDX-License-Identifier: Apache-2.0
//    scatter down a binomial tree:   0 -> 4..7, 0 -> 2..3, 4 -> 6..7, ...      each rank is left with one block
//    allgather round a ring:         0 -> 1 -> 2 -> ... -> p-1                 p - 1 steps of one block
#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

// The blocks of a binomial subtree whose top is at `place`.
Range subtree(Rank place, Rank size) {
  const int reach = place > 0 ? place & -place : size;
  return {place, std::min(reach, size - place)};
}

Stream scatter(Builder& b, Rank place) {
  const auto rank_at = [&](Rank other) { return wrap(std::int64_t{other} + b.root(), b.size()); };
  const Range mine = subtree(place, b.size());
  const Stream part = place > 0 ? b.recv(rank_at(place & (place - 1)), mine) : b.input();
  int reach = 1;
  while (reach < mine.count) reach *= 2;
  for (int distance = reach / 2; distance >= 1; distance /= 2) {
    if (distance >= mine.count) continue;
    b.send(rank_at(place + distance), part.at(subtree(place + distance, b.size())));
  }
  return part;
}

// The root already has everything, so the ring ends before it.
void allgather(Builder& b, Rank place, const Stream& part) {
  const Rank left = wrap(std::int64_t{b.rank()} - 1, b.size());
  const Rank right = wrap(std::int64_t{b.rank()} + 1, b.size());
  const bool sends = place + 1 < b.size();
  const int steps = b.size() - 1;
  if (place == 0) {
    b.output(part);
    for (int step = 0; sends && step < steps; step++) b.send(right, part.at({wrap(-step, b.size()), 1}));
    return;
  }
  Stream block = part.at({place, 1});
  b.output(block);
  for (int step = 1; step <= steps; step++) {
    if (sends) b.send(right, block);
    block = b.recv(left, {wrap(std::int64_t{place} - step, b.size()), 1});
    b.output(block);
  }
}

void build(Builder& b, const Tuning&) {
  b.cut(b.size());
  b.merge_streams();
  const Rank place = wrap(std::int64_t{b.rank()} - b.root(), b.size());
  allgather(b, place, scatter(b, place));
}

}  // namespace

extern const Algorithm bcast_scatter_allgather{
    .name = "scatter_allgather",
    .collective = Collective::bcast,
    .description = "scatter down a binomial tree, then allgather round a ring",
    .source = "Barnett, Shuler, van de Geijn et al.: Interprocessor collective communication library, 1994",
    .build = build,
};

}  // namespace espalier
