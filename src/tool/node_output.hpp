// SPDX-License-Identifier: Apache-2.0
// One node in words: its processors and its NICs.
#pragma once

#include "tool/command.hpp"
#include "topology/readers/hwloc_reader.hpp"

namespace espalier::tool {

[[nodiscard]] Json node_json(const NodeParts& node);
[[nodiscard]] std::string node_text(const NodeParts& node);

}  // namespace espalier::tool
