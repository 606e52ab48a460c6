// SPDX-License-Identifier: Apache-2.0
// The course of sums from all to the root: a reduction, and the first half of an allreduce.
#pragma once

#include "arrival/wave/wave.hpp"

namespace espalier::arrival {

// Into `wave`, whose times are all 0.
void climb(const PlaceTree& tree, const Arrangement& arrangement, std::span<const double> arrivals,
           const Transfer& transfer, Wave& wave);

}  // namespace espalier::arrival
