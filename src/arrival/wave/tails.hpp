// SPDX-License-Identifier: Apache-2.0
// What hangs on each place of a tree: how long all still takes once the transfer to it can start, or where data goes up
// once its rank arrives.
#pragma once

#include <vector>

#include "arrival/wave/wave.hpp"

namespace espalier::arrival {

// Seconds, by place.
struct Tails {
  // To the last exit that this can delay. The overall time is then the largest sum of a rank's arrival and the tail of
  // its place, or what it is where nobody is late: exact where messages are not cut and few are late at once.
  std::vector<double> longest;
  // Which of equal tails earlier ranks had better have: the least. Down: when the transfer starts, if nobody is late;
  // up: the deepest, on which the fewest wait.
  std::vector<double> served;
};

[[nodiscard]] Tails find_tails(const PlaceTree& tree, const Transfer& transfer);

}  // namespace espalier::arrival
