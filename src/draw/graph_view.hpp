// SPDX-License-Identifier: Apache-2.0
// Who sends to whom, as SVG: a tree where the messages form one, otherwise all ranks on a circle.
#pragma once

#include "draw/subject.hpp"
#include "draw/timeline.hpp"

namespace espalier {

[[nodiscard]] std::string draw_graph_view(const Subject& subject, const Timeline& timeline);

}  // namespace espalier
