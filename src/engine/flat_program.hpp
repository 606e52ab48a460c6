// SPDX-License-Identifier: Apache-2.0
// The order in which the flat executor works, as data: a pure function of the schedule, so that the verifier can prove
// that very order. It is stricter than what a schedule asks for: steps go in builder order, and a message is waited for
// before the first step that depends on it.
#pragma once

#include <span>
#include <vector>

#include "schedule/items.hpp"

namespace espalier {

// Before `operation` is posted (or done, if it is local), these messages are waited for, one after the other.
struct FlatStep {
  std::uint32_t operation = 0;
  std::uint32_t first_wait = 0;
  std::uint32_t wait_count = 0;
};

struct FlatProgram {
  std::vector<FlatStep> steps;
  std::vector<std::uint32_t> waits;  // numbers of operations that communicate
  std::uint32_t last_wait = 0;       // from here on: those waited for after the last step

  [[nodiscard]] std::span<const std::uint32_t> waits_before(const FlatStep& step) const {
    return {waits.data() + step.first_wait, step.wait_count};
  }
};

// Whether each operation has at most one item and depends on earlier operations only: then the flat executor runs it.
// Schedules with more items are left to the general executor, whose cost per item hardly shows among this many
// messages.
[[nodiscard]] bool is_flat(const Schedule& schedule, const Items& items);

// Of a schedule with is_flat(schedule, items).
[[nodiscard]] FlatProgram flat_order(const Schedule& schedule, const Items& items);

}  // namespace espalier
