// SPDX-License-Identifier: Apache-2.0
// What blocks do in allgathers; the algorithms' files say over which distances.
#pragma once

#include "algorithms/shapes/ring.hpp"
#include "schedule/builder.hpp"

namespace espalier {

// Each rank passes on the block that arrived last. All steps are one stream.
inline void gather_round_the_ring(Builder& b) {
  const Ring ring{b.rank(), b.size()};
  const Stream own = b.input();
  b.send(ring.right(), own.part(0, ring.size > 1 ? 1 : 0));
  const Stream others = b.recv(ring.left(), {ring.left(), ring.size - 1, -1});
  b.send(ring.right(), others.but_last());
  b.output(own);
  b.output(others);
}

// In each step a rank has as many blocks, its own and those after it, as the distance says, and hands on as many of
// them as the one before it still lacks for the next distance.
inline void gather_over_distances(Builder& b, const std::vector<Rank>& distances) {
  b.merge_streams();
  const auto at = [&](int distance) { return wrap(std::int64_t{b.rank()} + distance, b.size()); };
  Bundle mine{b.input()};
  for (std::size_t k = 0; k < distances.size(); ++k) {
    const Rank have = distances[k];
    const Rank missing = (k + 1 < distances.size() ? distances[k + 1] : b.size()) - have;
    b.send(at(-have), blocks_of(mine, 0, missing));
    mine.push_back(b.recv(at(have), {at(have), missing}));
  }
  b.output(mine);
}

}  // namespace espalier
