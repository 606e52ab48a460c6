// SPDX-License-Identifier: Apache-2.0
// The route of a message from the root to all: a broadcast, and the second half of an allreduce.
#pragma once

#include "arrival/wave/wave.hpp"

namespace espalier::arrival {

// Into `wave`, which says when the root has what it sends.
void descend(const PlaceTree& tree, const Arrangement& arrangement, std::span<const double> arrivals,
             const Transfer& transfer, Wave& wave);

}  // namespace espalier::arrival
