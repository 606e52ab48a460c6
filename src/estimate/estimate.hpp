// SPDX-License-Identifier: Apache-2.0
// How long a choice would take on the communicator's network.
#pragma once

#include <optional>

#include "core/choice.hpp"

namespace espalier {

// All ranks are played through (running_time.hpp): of more that takes too long for an answer while a program waits.
inline constexpr Rank max_played_ranks = 128;

// The network is known, and every node can be reached.
[[nodiscard]] bool can_be_estimated(const Shape& shape);
[[nodiscard]] bool can_be_played(const Shape& shape);

// Seconds; `choice` is not native, fits the problem, and the shape can be estimated. Of a long pipeline its beginning
// is played, until each segment takes as long as it must or as the one before. Where there are too many ranks, as
// sampled_time.hpp has them.
[[nodiscard]] double estimated_seconds(const Choice& choice, const Problem& problem, const Shape& shape);

}  // namespace espalier
