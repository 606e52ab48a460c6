// SPDX-License-Identifier: Apache-2.0
// Where two walks over the same blocks meet.
#pragma once

#include <optional>

#include "schedule/schedule.hpp"

namespace espalier {

// Two walks meet in `blocks` places; at each of them the index in `earlier` exceeds the one in `later` by at most
// `shift`.
struct WalkMeeting {
  int blocks = 0;
  int shift = 0;
};

// Nothing if they have no block in common. Both walks have the same modulus; neither visits a block twice. Takes
// constant time for walks of equal step, unless they go round with a step other than 1.
[[nodiscard]] std::optional<WalkMeeting> meet(Walk later, int later_blocks, Walk earlier, int earlier_blocks);

}  // namespace espalier
