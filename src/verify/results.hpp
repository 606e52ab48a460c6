// SPDX-License-Identifier: Apache-2.0
// Has every rank what the collective promises?
#pragma once

#include <string>
#include <vector>

#include "verify/run.hpp"

namespace espalier::proof {

// Broadcast: the root's data everywhere. Reduce, allreduce: each contribution exactly once, in rank order where that
// is asked for, and the very same expression on all ranks and for all segments of a block. Barrier: everybody has heard
// of everybody (hearing twice does no harm). Empty text: nothing is wrong.
[[nodiscard]] std::string check_results(const Network& network, const SymbolicRun& run, const Expressions& expressions);

// The expression of each block of the result. Only after check_results().
[[nodiscard]] std::vector<Expressions::Id> result_of(const Network& network, const SymbolicRun& run);

}  // namespace espalier::proof
