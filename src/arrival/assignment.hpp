// SPDX-License-Identifier: Apache-2.0
// Which arrangement suits given arrival times best: found at once, instead of exchange by exchange.
#pragma once

#include <span>

#include "arrival/wave/place_tree.hpp"
#include "arrival/wave/tails.hpp"
#include "core/arrangement.hpp"

namespace espalier::arrival {

// The earliest ranks get the places with the longest tails, which makes the overall time the least there is (an
// exchange argument; exact where messages are not cut), and of equal ones those that are served first, for the mean
// time. Within each group of places. `arrivals`: by rank.
[[nodiscard]] Arrangement earliest_to_longest_tails(const PlaceTree& tree, const Tails& tails,
                                                    std::span<const double> arrivals);

// The same overall time with few exchanges: only ranks that arrive too late for their places leave them. Of thousands
// of ranks it is the same arrangement.
[[nodiscard]] Arrangement few_exchanges(const PlaceTree& tree, const Tails& tails, std::span<const double> arrivals,
                                        const Arrangement& present);

}  // namespace espalier::arrival
