// SPDX-License-Identifier: Apache-2.0
// What users name on the command line, looked up or refused.
#pragma once

#include <vector>

#include "algorithms/algorithm.hpp"
#include "settings/settings.hpp"
#include "tool/command.hpp"
#include "verify/sweep.hpp"

namespace espalier::tool {

// The settings of the environment.
[[nodiscard]] Settings current_settings();

[[nodiscard]] Collective requested_collective(const std::string& name);
// "bcast:chain", or "chain" for the first collective that has one
[[nodiscard]] const Algorithm& requested_algorithm(const std::string& name);
// "16KiB"
[[nodiscard]] std::size_t requested_size(const std::string& option, const std::string& text);

void check_root(Rank root, Rank ranks);

[[nodiscard]] std::string full_name(const Algorithm& algorithm);

// What can build its schedules.
[[nodiscard]] SweepCase case_of(const Algorithm& algorithm, const Shape& shape, Rank root, bool in_place, int pieces,
                                int radix, int leaders);

}  // namespace espalier::tool
