// SPDX-License-Identifier: Apache-2.0
// A node's levels from TOML:
//
//   name = "2 x EPYC 7742"
//   [core]                          # what a core does alone; docs/reference/node-levels.md
//   copy = 20e9                     # bytes per second
//   ...
//   [[level]]                       # from inside to outside
//   name = "CCX"
//   holds = 4
//   seconds = 24e-9
//   copy = 15e9
//   stream = 6e9
#pragma once

#include <string_view>

#include "levels/node_levels.hpp"

namespace espalier {

// Throws BadDescription. `file`: the name of what `text` was read from.
[[nodiscard]] NodeLevels levels_from_toml(std::string_view text, const std::string& file);

}  // namespace espalier
