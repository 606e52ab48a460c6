// SPDX-License-Identifier: Apache-2.0
// How long a transfer takes, from what a broadcast took.
#pragma once

#include <span>

#include "arrival/wave/wave.hpp"

namespace espalier::arrival {

// With which the model comes nearest to when the ranks left. `like`: in how many segments it flows, and how it is sent.
// `arrivals`, `left`: by rank, by one clock.
[[nodiscard]] Transfer fitted_transfer(const PlaceTree& tree, const Arrangement& arrangement,
                                       std::span<const double> arrivals, std::span<const double> left, Transfer like);

// Of calls that went otherwise, which is not known: what makes the tree as fast as they were once all had arrived.
[[nodiscard]] Transfer transfer_of_another_choice(const PlaceTree& tree, std::span<const double> arrivals,
                                                  std::span<const double> left, Transfer like);

}  // namespace espalier::arrival
