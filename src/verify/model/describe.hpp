// SPDX-License-Identifier: Apache-2.0
// How the verifier names what it complains about.
#pragma once

#include <string>

#include "verify/model/all_ranks.hpp"

namespace espalier::proof {

// "rank 3, operation 5 (recv from 2)"
[[nodiscard]] std::string describe(Rank rank, std::size_t number, const Operation& op);
[[nodiscard]] std::string describe(const AllRanks& all, std::uint32_t op);
// "rank 3, operation 5 (recv from 2), item 7"
[[nodiscard]] std::string describe(const AllRanks& all, std::uint32_t op, int item);
// "channel 0 of 3 -> 2"
[[nodiscard]] std::string describe(const AllRanks::ChannelEnds& ends);

}  // namespace espalier::proof
