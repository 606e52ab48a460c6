// SPDX-License-Identifier: Apache-2.0
// What policies have in common that arrange the ranks of one algorithm, which was forced.
#pragma once

#include "policy/policy.hpp"

namespace espalier {

// How the root's numbers travel: by one of our broadcasts.
[[nodiscard]] Choice bcast_of_numbers(const char* algorithm);

// Of calls that all ran that choice.
[[nodiscard]] ContextStory story_of_forced(const Problem& problem, const Shape& shape, const Choice& choice,
                                           std::uint64_t calls);

}  // namespace espalier
