// SPDX-License-Identifier: Apache-2.0
// Blocks down a binomial tree and then round a ring, among some places; `rank_at` says which rank stands in one. The
// message is cut in a block for each place, and its root stands in place 0.
#pragma once

#include <algorithm>

#include "schedule/builder.hpp"

namespace espalier {

// The blocks of a binomial subtree whose top is at `place`: what the scatter leaves there.
[[nodiscard]] inline Range subtree(Rank place, Rank places) {
  const int reach = place > 0 ? place & -place : places;
  return {place, std::min(reach, places - place)};
}

// The blocks that come round the ring: in descending order, those that the scatter did not leave there.
[[nodiscard]] inline Range lacking(Rank place, Rank places) {
  return {place - 1, places - subtree(place, places).count, -1};
}

template <class RankAt>
Stream scatter_down(Builder& b, Rank place, Rank places, RankAt rank_at) {
  const Range mine = subtree(place, places);
  b.merge_streams();
  const Stream part = place > 0 ? b.recv(rank_at(place & (place - 1)), mine) : b.input();
  int reach = 1;
  while (reach < mine.count) reach *= 2;
  for (int distance = reach / 2; distance >= 1; distance /= 2) {
    if (distance >= mine.count) continue;
    b.send(rank_at(place + distance), part.at(subtree(place + distance, places)));
  }
  b.merge_streams(false);
  return part;
}

// What the right one lacks: this place's own block, what comes from the left, and then others of the subtree here.
template <class RankAt>
Stream gather_round(Builder& b, Rank place, Rank places, const Stream& part, RankAt rank_at) {
  const Stream from_left = b.recv(rank_at(wrap(std::int64_t{place} - 1, places)), lacking(place, places));
  if (place + 1 < places) {
    const Rank right = rank_at(place + 1);
    const int wanted = lacking(place + 1, places).count - 1;
    const int relayed = std::min(wanted, from_left.blocks());
    b.send(right, part.at({place, 1}));
    b.send(right, from_left.part(0, relayed));
    b.send(right, part.at({wrap(std::int64_t{place} - 1 - relayed, places), wanted - relayed, -1}));
  }
  return from_left;
}

}  // namespace espalier
