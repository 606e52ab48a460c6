// SPDX-License-Identifier: Apache-2.0
// Lanes as bits (LaneSet), and which of them a path means.
#pragma once

#include "core/types.hpp"
#include "transport/fabric/wire/wire.hpp"

namespace espalier {

[[nodiscard]] constexpr LaneSet bit_of(int lane) { return static_cast<LaneSet>(1U << lane); }
[[nodiscard]] constexpr LaneSet first_lanes(int count) { return static_cast<LaneSet>((1U << count) - 1); }
[[nodiscard]] constexpr bool has_lane(LaneSet lanes, int lane) { return (lanes & bit_of(lane)) != 0; }
[[nodiscard]] constexpr LaneSet without(LaneSet lanes, LaneSet others) { return static_cast<LaneSet>(lanes & ~others); }

// Those that are a path's own; 0: none, it takes them all.
[[nodiscard]] constexpr LaneSet lanes_of(Path path) {
  // A schedule that names a NIC without insisting on it has a stream for every second one.
  constexpr LaneSet even_lanes = 0x55, odd_lanes = 0xAA;
  if (names_one_nic(path)) return nic_of(path) < max_lanes ? bit_of(nic_of(path)) : LaneSet{0};
  if (path == 0 || path == by_all_in_turn) return 0;
  return path == 1 ? even_lanes : odd_lanes;
}

}  // namespace espalier
