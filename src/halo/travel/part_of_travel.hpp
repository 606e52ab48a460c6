// SPDX-License-Identifier: Apache-2.0
// One rank's part in how the messages of all ranks travel.
#pragma once

#include <span>
#include <vector>

#include "halo/travel/aggregation.hpp"
#include "halo/travel/part.hpp"

namespace espalier::halo {

struct Traveller {
  Rank me = no_rank;
  int inputs = 0, outputs = 0;                       // blocks that it has
  std::vector<int> place_in_input, place_in_output;  // by message: of its block, if it is sent here, or comes here
  std::vector<int> order;                            // of the legs that it sends; none before one of an earlier stage
  std::vector<Path> paths;                           // by leg: of those that it sends or receives
};

[[nodiscard]] Part part_of(const Traveller& traveller, std::span<const RankMessage> messages, const Travel& travel);

}  // namespace espalier::halo
