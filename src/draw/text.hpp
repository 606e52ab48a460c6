// SPDX-License-Identifier: Apache-2.0
// Schedules as tables of text: one line per operation.
#pragma once

#include <optional>

#include "draw/subject.hpp"

namespace espalier {

// All ranks, or one of them.
[[nodiscard]] std::string draw_text(const Subject& subject, std::optional<Rank> only = std::nullopt);

}  // namespace espalier
