// SPDX-License-Identifier: Apache-2.0
// Schedules as tables of text: one line per operation.
#pragma once

#include "draw/subject.hpp"

namespace espalier {

// `first`: whose schedule comes first.
[[nodiscard]] std::string draw_text(const Subject& subject, Rank first = 0);

}  // namespace espalier
