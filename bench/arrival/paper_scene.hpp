// SPDX-License-Identifier: Apache-2.0
// What paper 4's benchmarks have in common: 128 processes, a binomial tree, and what a transfer takes.
#pragma once

#include "arrival/paper_table.hpp"
#include "arrival/simulation.hpp"

namespace espalier::arrival {

constexpr SwapSettings every_wait_counts = {.negligible = {}};  // in simulated time none has a transfer in it
constexpr int lag_of_reports = 6;                               // the root runs ahead, so profiles arrive late

[[nodiscard]] PlaceTree paper_tree();

// What a transfer takes, fitted to the broadcasts without a load. `load`: an index into paper::loads; with it short
// broadcasts were more alike.
[[nodiscard]] Transfer paper_transfer(const paper::Row& row, std::size_t load);

}  // namespace espalier::arrival
