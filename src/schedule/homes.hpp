// SPDX-License-Identifier: Apache-2.0
// Which values live in the output buffer, at their own blocks' places, from the start.
#pragma once

#include <vector>

#include "schedule/recording.hpp"

namespace espalier {

// By value: true if its home is the output buffer. Found backwards from the outputs through the reductions that feed
// them, and taken back where two values would need the same place at the same time.
[[nodiscard]] std::vector<bool> choose_homes(const Recording& recording);

}  // namespace espalier
