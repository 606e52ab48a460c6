// SPDX-License-Identifier: Apache-2.0
// Paper 4's benchmark (b) in simulated time: each process multiplies a random number of times before each broadcast.
#pragma once

#include <vector>

#include "arrival/paper_table.hpp"

namespace espalier::arrival {

// Of one pattern of loads, in milliseconds as in the tables: means over its broadcasts.
struct RandomLoad {
  paper::Measured overall, mean;  // ideal: with our own method
};

// As many patterns as the paper has. Loads recur in all broadcasts of a pattern.
[[nodiscard]] std::vector<RandomLoad> play_random_loads(const paper::Row& row);

}  // namespace espalier::arrival
