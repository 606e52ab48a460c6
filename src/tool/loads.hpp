// SPDX-License-Identifier: Apache-2.0
// What the links of a machine carried, in a file of lines FROM TO BYTES, the names of two nodes.
#pragma once

#include <string>
#include <string_view>

#include "draw/lattice_view.hpp"

namespace espalier::tool {

// `file` is for messages only. Throws BadDescription, also where the machine has no such node.
[[nodiscard]] MeasuredLoads loads_in(std::string_view text, const std::string& file, const Machine& machine);

}  // namespace espalier::tool
