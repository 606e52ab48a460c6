// SPDX-License-Identifier: Apache-2.0
// Contexts whose times were recorded call by call, each candidate in a run of its own.
#pragma once

#include <istream>
#include <vector>

#include "selection/instances.hpp"

namespace espalier::selection {

// Of each context a line "CANDIDATES CALLS", then a line for each candidate with the seconds of its calls, the native
// MPI's first. If there are fewer than `calls`, they begin again. Nothing is estimated of them. Throws
// std::invalid_argument.
[[nodiscard]] std::vector<Instance> read_recorded(std::istream& text, std::size_t calls);

}  // namespace espalier::selection
