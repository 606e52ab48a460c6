// SPDX-License-Identifier: Apache-2.0
// What the commands share that go through many schedules.
#pragma once

#include "tool/command.hpp"
#include "verify/sweep.hpp"

namespace espalier::tool {

inline constexpr Rank max_swept_ranks = 1024;  // the proof of a single case then takes seconds, of a ring minutes

// As many threads as there are processors. `algorithm` null: all of them.
[[nodiscard]] SweepOptions sweep_options(const Algorithm* algorithm);

// One line of JSON on standard error, for anyone who draws a bar.
void print_progress(const SweepProgress& progress);

}  // namespace espalier::tool
