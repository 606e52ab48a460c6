// SPDX-License-Identifier: Apache-2.0
// Turns what an algorithm said into operations: gives values their places, derives dependencies.
#pragma once

#include "schedule/recording.hpp"
#include "schedule/schedule.hpp"

namespace espalier {

// Throws std::logic_error where the words contradict each other.
[[nodiscard]] Schedule assemble(const Recording& recording);

}  // namespace espalier
