// SPDX-License-Identifier: Apache-2.0
// A collective in space and time, as SVG: one line per rank, one column per step, an arrow per message.
#pragma once

#include "draw/subject.hpp"
#include "draw/timeline.hpp"

namespace espalier {

[[nodiscard]] std::string draw_time_view(const Subject& subject, const Timeline& timeline);

}  // namespace espalier
