// SPDX-License-Identifier: Apache-2.0
// Tofu's six coordinates as a torus of three dimensions, in which neighbours are neighbours on the machine, also round
// the ends.
//
// A node is at X, Y, Z and, in its group of twelve, at a (2), b (3), c (2); a and c are links between two nodes, b is a
// ring of three. (X, a), (Y, b) and (Z, c) each become one ring, by going up one side and back on the other. So each
// box of such groups is a torus, wherever it lies: its ends need not be joined. (Paper 1, section 3; how b is folded is
// our own choice.)
#pragma once

#include <array>
#include <span>
#include <vector>

#include "topology/arc.hpp"
#include "topology/lattice.hpp"

namespace espalier {

inline constexpr std::array<int, 3> tofu_group = {2, 3, 2};
inline constexpr int nodes_of_tofu_group = tofu_group[0] * tofu_group[1] * tofu_group[2];

// X, Y, Z, a, b, c.
using TofuPlace = std::array<int, 6>;

// A pair of coordinates that becomes one: `sides` of the group (1 to 3) along this many places.
struct TofuFold {
  int extent = 1, sides = 1;

  // A line of one side; a ring of more.
  [[nodiscard]] Lattice::Axis axis() const { return {extent * sides, sides > 1}; }
  // 0 <= x < extent, 0 <= side < sides.
  [[nodiscard]] int place_of(int x, int side) const;
};

// Of whole groups: the rings of 2X, 3Y and 2Z places.
[[nodiscard]] Lattice folded_lattice(const std::array<int, 3>& extents);
[[nodiscard]] Coordinates folded_place(const TofuPlace& place, const std::array<int, 3>& extents);

// The places of a box of that many in each of the three folded dimensions, the first one fastest: the first and the
// third are even or 1; the second is folded by three where it can be. Throws std::invalid_argument.
[[nodiscard]] std::vector<TofuPlace> tofu_box(const std::array<int, 3>& box);

// Both directions of the links between these nodes: one step along X, Y and Z, whose ends are not joined, and between
// any two of a group that differ in one of a, b and c alone. No two nodes are at one place.
[[nodiscard]] std::vector<Arc> tofu_arcs(std::span<const TofuPlace> places, double bytes_per_second);

}  // namespace espalier
