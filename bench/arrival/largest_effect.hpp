// SPDX-License-Identifier: Apache-2.0
// Paper 4's benchmark (a), "largest effect", in simulated time: the first child of the root is late.
#pragma once

#include "arrival/paper_table.hpp"

namespace espalier::arrival {

// Milliseconds, as in the paper's tables; `ordered`: with our own method.
struct LargestEffect {
  paper::Measured overall, mean;
  double ordered_overall = 0, ordered_mean = 0;
  double delay = 0;
};

// What a transfer takes is fitted to the broadcasts without a load, the delay to the one without exchanges. `load`: an
// index into paper::loads.
[[nodiscard]] LargestEffect play_largest_effect(const paper::Row& row, std::size_t load);

}  // namespace espalier::arrival
