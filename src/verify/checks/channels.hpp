// SPDX-License-Identifier: Apache-2.0
// Do both ends of every channel speak of the same messages, and are they posted in an order that nothing can upset?
#pragma once

#include <string>

#include "verify/model/all_ranks.hpp"

namespace espalier::proof {

// The sequence of sends equals the sequence of receives: in number, in label and in size, however the message is cut,
// because both are compared in units: a block (s messages) or several blocks merged (one message).
[[nodiscard]] std::string check_messages(const AllRanks& all);

// The operations of one side of a channel are posted one after the other: dependencies say so, not luck. Holds for all
// segment counts and windows.
[[nodiscard]] std::string check_posting_order(const AllRanks& all);

}  // namespace espalier::proof
