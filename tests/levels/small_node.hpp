// SPDX-License-Identifier: Apache-2.0
// A node whose times can be worked out by hand: seconds, and bytes per second.
#pragma once

#include "levels/node_levels.hpp"

namespace espalier {

inline constexpr NodeCore small_core = {.copy_bytes_per_second = 100,
                                        .reduce_bytes_per_second = 8,
                                        .memory_copy_per_second = 50,
                                        .memory_reduce_per_second = 4,
                                        .call_seconds = 10,
                                        .message_seconds = 1,
                                        .read_seconds = 2,
                                        .read_bytes_per_second = 10};

[[nodiscard]] inline NodeLevel small_level(const char* name, int holds, double seconds) {
  return {.name = name, .holds = holds, .seconds = seconds, .copy_bytes_per_second = 50, .stream_bytes_per_second = 20};
}

// Two cores.
[[nodiscard]] inline NodeLevels small_node() { return {"small", small_core, {small_level("node", 2, 5)}}; }

// Two groups of two cores.
[[nodiscard]] inline NodeLevels node_of_pairs() {
  return {"pairs", small_core, {small_level("pair", 2, 5), small_level("node", 2, 7)}};
}

}  // namespace espalier
