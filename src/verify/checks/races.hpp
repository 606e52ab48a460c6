// SPDX-License-Identifier: Apache-2.0
// Are operations of one rank that touch the same memory, one of them writing, ordered by that rank's own dependencies?
#pragma once

#include <string>

#include "verify/model/run.hpp"

namespace espalier::proof {

// `run` has ended well. Its order of events respects all dependencies, so it is enough that each access to a cell is
// ordered after the last write to it, and each write also after the reads since then: the rest follows, because
// "finished before the other is posted" is transitive. What the order of messages between ranks may imply counts for
// nothing. Up to `window` items of an operation may be under way at once, and complete in any order.
[[nodiscard]] std::string check_races(const AllRanks& all, const SymbolicRun& run);

}  // namespace espalier::proof
