// SPDX-License-Identifier: Apache-2.0
// Has every rank what the collective promises?
#pragma once

#include <string>
#include <vector>

#include "verify/model/run.hpp"

namespace espalier::proof {

// As the contract has it: each block of each output combines the contributions of its sources, each exactly once, in
// rank order where that is asked for; and blocks with one label are the very same expression on all ranks and in all
// segments. Where no data is moved, everybody has received from everybody; receiving twice does no harm. Empty text:
// nothing is wrong.
[[nodiscard]] std::string check_results(const AllRanks& all, const SymbolicRun& run, const Expressions& expressions);

// The expression of each block of each rank's output, by place. Only after check_results().
[[nodiscard]] std::vector<std::vector<Expressions::Id>> results_of(const AllRanks& all, const SymbolicRun& run);

}  // namespace espalier::proof
