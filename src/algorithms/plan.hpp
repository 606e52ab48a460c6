// SPDX-License-Identifier: Apache-2.0
// What a Choice means for a Problem: how a schedule is built, and how it is bound to a message. Anyone who builds or
// binds a schedule asks here, so that all do it alike.
#pragma once

#include "algorithms/algorithm.hpp"
#include "core/choice.hpp"
#include "schedule/partition.hpp"

namespace espalier {

// Before building: for rank `me`. `choice` must not be native. `in_place`: its input lies in the output buffer.
[[nodiscard]] Request request_for(const Choice& choice, const Problem& problem, const Shape& shape, Rank me,
                                  bool in_place = false);

// After building: of even blocks; equal on all ranks.
[[nodiscard]] Partition partition_for(const Choice& choice, const Problem& problem, const Schedule& schedule);

// The same where the problem's count is another one.
[[nodiscard]] Partition partition_of(const Problem& problem, const Schedule& schedule, std::size_t count, int segments);

}  // namespace espalier
