// SPDX-License-Identifier: Apache-2.0
// The trees of PAT: a binomial tree for the block of every rank, all alike and each beginning at its own rank, whose
// messages over one distance travel together, this many blocks at most at a time.
// S. Jeaugey: PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace espalier {

// From each rank r to r + distance: the blocks of the ranks r - place, for places first, first + 2 * distance, ...
struct AggregatedMessage {
  Rank distance = 1;
  Rank first = 0, count = 1;

  [[nodiscard]] Rank place(int k) const { return first + 2 * distance * k; }
};

// In an order in which everybody has what he sends. The far distances come first, when there is little to send. Where
// more blocks than `max_together` have gathered, a part of them goes entirely before the next part does: so no more
// than that are held on to, next to one part for each distance.
[[nodiscard]] std::vector<AggregatedMessage> aggregated_messages(Rank size, int max_together);

}  // namespace espalier
