// SPDX-License-Identifier: Apache-2.0
// A reduce-scatter by recursive halving: the first half of Rabenseifner's algorithms.
#pragma once

#include "algorithms/shapes/hypercube.hpp"
#include "schedule/builder.hpp"

namespace espalier {

// The blocks that `corner` shares with its neighbours in a subcube of `count` corners.
[[nodiscard]] inline Range blocks_of_subcube(int corner, int count) { return {corner / count * count, count}; }

// Each step gives half of the blocks away and keeps the other half's sum; in the end a corner holds the block that has
// its own number.
//
//    corner  0   1   2   3
//            0-3 0-3 0-3 0-3       sums of
//            0-1 0-1 2-3 2-3       two ranks (across 2)
//            0   1   2   3         four ranks (across 1)
//
// `blocks_of`: as blocks_of_subcube(), where corners do not have one block each.
template <class BlocksOf = decltype(blocks_of_subcube)>
[[nodiscard]] Stream reduce_scatter_by_halving(Builder& b, const Hypercube& cube, Stream sum,
                                               const BlocksOf& blocks_of = blocks_of_subcube) {
  for (int distance = cube.corners() / 2; distance >= 1; distance /= 2) {
    const Range keep = blocks_of(cube.corner(), distance);
    const Range give = blocks_of(cube.corner() ^ distance, distance);
    const Rank partner = cube.across(distance);
    b.send(partner, sum.at(give));
    sum = b.reduce_in_rank_order(partner, sum.at(keep), b.recv(partner, keep));
  }
  return sum;
}

}  // namespace espalier
