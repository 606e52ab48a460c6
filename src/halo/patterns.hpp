// SPDX-License-Identifier: Apache-2.0
// Exchanges that are known by name.
#pragma once

#include <cstdint>

#include "halo/exchange.hpp"

namespace espalier::halo {

// Which neighbours of a point of a 2-D grid.
enum class Neighbours : std::uint8_t { east_west, north_south, sides, diagonals, all };

// The halos of the weather model SCALE-LES3 (paper 3, table 1): halos of two points, `height` points upwards on 16 x
// 16, values of 8 bytes. The puts of one process stand for those of all, on a periodic grid of processes. Of puts in
// one direction one follows the other, so that RoundRobin sends them at once. Links: of any node, east, west, north,
// south; diagonal puts take the one east or west first.
[[nodiscard]] Exchange scale_les3(int height, Neighbours neighbours);

}  // namespace espalier::halo
