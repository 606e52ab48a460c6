// SPDX-License-Identifier: Apache-2.0
// The proof of one case: among more ranks than a sweep takes, or on a network that the user names.
#pragma once

#include "tool/command.hpp"
#include "verify/sweep.hpp"

namespace espalier::tool {

inline constexpr Rank max_proved_ranks = 1 << 17;

inline constexpr const char* left_out_in_brief =
    "other roots than 0, calls in place, blocks of different sizes, and other cuts than blocks of two segments and a "
    "window of two";

// Adds it to a sum. Throws BadRequest where the algorithm does not exist there, or the proof would take minutes.
void add_brief_proof(const Algorithm& algorithm, const Shape& shape, SweepResult& sum);

}  // namespace espalier::tool
