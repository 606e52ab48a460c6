// SPDX-License-Identifier: Apache-2.0
// Which messages a reduction could read where they lie: those that the engine lends (engine/lending.hpp), and those
// that are received where the reduction puts its result, or where it alone reads; for these the engine would take no
// more.
#pragma once

#include <vector>

#include "engine/lending.hpp"

namespace espalier {

// For each operation: by whose messages the operands of a reduction come.
[[nodiscard]] std::vector<Lenders> find_lenders_on_node(const Schedule& schedule);

}  // namespace espalier
