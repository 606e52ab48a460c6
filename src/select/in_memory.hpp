// SPDX-License-Identifier: Apache-2.0
// What is chosen where all ranks of a communicator share memory: a table, by what was measured (make bench-nodes).
#pragma once

#include <optional>

#include "core/choice.hpp"

namespace espalier {

// A function of the problem (not its root) and the shape. Nothing: it is not for such ranks, others decide.
[[nodiscard]] std::optional<Choice> choice_in_memory(const Problem& problem, const Shape& shape);

}  // namespace espalier
