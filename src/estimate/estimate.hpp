// SPDX-License-Identifier: Apache-2.0
// How long a choice would take on the communicator's network.
#pragma once

#include <optional>

#include "core/choice.hpp"

namespace espalier {

// All ranks are played through: larger communicators take too long for an answer while a program waits.
inline constexpr Rank max_estimated_ranks = 128;

// The network is known, every node can be reached, and there are not too many ranks.
[[nodiscard]] bool can_be_estimated(const Shape& shape);

// Seconds, as running_time() has them; `choice` is not native, fits the problem, and the shape can be estimated. Of a
// long pipeline its beginning is simulated, until each segment takes as long as it must or as the one before.
[[nodiscard]] double estimated_seconds(const Choice& choice, const Problem& problem, const Shape& shape);

}  // namespace espalier
