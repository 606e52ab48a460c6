// SPDX-License-Identifier: Apache-2.0
// What hangs on each place of a tree: how long the broadcast still takes once the transfer to it can start.
#pragma once

#include <vector>

#include "arrival/wave.hpp"

namespace espalier::arrival {

// Seconds, by place.
struct Tails {
  // From the start of its transfer to the last exit that this can delay. The overall time is then the largest sum of a
  // rank's arrival and the tail of its place: exact where messages are not cut.
  std::vector<double> longest;
  // When its transfer starts, if nobody is late.
  std::vector<double> served;
};

[[nodiscard]] Tails find_tails(const PlaceTree& tree, const Transfer& transfer);

}  // namespace espalier::arrival
