// SPDX-License-Identifier: Apache-2.0
// By which NICs a set of sends goes that are started together, and in which order.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "halo/exchange.hpp"
#include "schedule/schedule.hpp"

namespace espalier {

struct SendSize {
  Rank to = no_rank;
  std::size_t bytes = 0;
  bool is_diagonal = false;  // two or more coordinates of its two ends differ
};

struct SendLane {
  Path path = 0;
  int turn = 0;
};

// Each rank shares out its own. Those of ranks that all have the same neighbours, as in a stencil, fit together, as all
// send in the same direction at one time. `packer`: as ESPALIER_PACKER has it. In the order of the sends. Throws on
// allocation failure.
[[nodiscard]] std::vector<SendLane> lanes_of_sends(std::span<const SendSize> sends, std::string_view packer,
                                                   const halo::Engines& nics);

}  // namespace espalier
