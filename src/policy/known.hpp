// SPDX-License-Identifier: Apache-2.0
// What a memory's texts mean for a problem.
#pragma once

#include <optional>

#include "memory/memory_text.hpp"
#include "select/alternatives.hpp"

namespace espalier {

// What a tuner starts from.
struct Start {
  Choice baseline;                 // what is done without tuning
  std::vector<KnownChoice> known;  // from a memory, the best first
};

// The best algorithm of a context that a user pinned. Nothing: it is not for this problem.
[[nodiscard]] std::optional<Choice> pinned_choice(const ContextMemory& context, const Problem& problem,
                                                  const Shape& shape);

// The best algorithm that is known is done first, the others enter with what is known of them. Where the order of
// additions must not change, only those count that add as `baseline` does.
[[nodiscard]] Start start_from(const ContextMemory& context, const Problem& problem, const Shape& shape,
                               const Choice& baseline, bool is_bound_to_order);

}  // namespace espalier
