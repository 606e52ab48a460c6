// SPDX-License-Identifier: Apache-2.0
// All policies on contexts whose times were recorded, one context after another in an order that is drawn: a line of
// JSON for each policy, context and number of calls; ratios less 1. Each is played twice: a call is as the candidate's
// was that was recorded at that place of the job, or as its next one (`counted_by`). By the first, all have warmed up
// when the job has; by the second each does when it runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "selection/recorded.hpp"

namespace espalier::selection {

struct RecordedMachine {
  std::string name;
  std::vector<RecordedContext> contexts;
};

[[nodiscard]] std::size_t steps_of_recorded_study();
void run(RecordedMachine& machine, const std::function<void()>& show_progress);

}  // namespace espalier::selection
