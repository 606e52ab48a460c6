// SPDX-License-Identifier: Apache-2.0
// Does a schedule also end when ranks issue their operations strictly in the order of their numbers?
#pragma once

#include <span>
#include <string>

#include "schedule/partition.hpp"
#include "verify/model/all_ranks.hpp"

namespace espalier::proof {

// That is what the flat executor does (engine/flat_program.hpp), on each rank whose part of the schedule it can run:
// neighbours may run the general one. A flat program is a schedule with more dependencies: each step is posted after
// the one before it, and after the messages that were waited for until then. So this runs the schedules with these
// dependencies added. Empty text: it ends, or no rank runs the flat executor.
[[nodiscard]] std::string check_issue_order(const AllRanks& all, std::span<const Partition> partitions, int window);

}  // namespace espalier::proof
