// SPDX-License-Identifier: Apache-2.0
#include "topology/lattice.hpp"

#include <algorithm>

namespace espalier {

int Lattice::points() const {
  int count = 1;
  for (const Axis& axis : axes) count *= axis.extent;
  return count;
}

Coordinates Lattice::coordinates_of(int number) const {
  Coordinates place;
  for (const Axis& axis : axes) {
    place.push_back(number % axis.extent);
    number /= axis.extent;
  }
  return place;
}

int Lattice::number_of(const Coordinates& place) const {
  int number = 0;
  for (int a = dimensions() - 1; a >= 0; --a) number = number * axes[a].extent + place[a];
  return number;
}

bool Lattice::step(Coordinates& place, int axis, int step) const {
  const auto [extent, wraps, doubled] = axes[axis];
  int x = place[axis] + step;
  if (x < 0 || x >= extent) {
    if (!wraps) return false;
    x = (x + extent) % extent;
  }
  if (x == place[axis]) return false;
  place[axis] = x;
  return true;
}

bool Lattice::is_torus() const {
  const auto is_ring = [](const Axis& axis) { return axis.wraps && (axis.extent >= 3 || axis.doubled); };
  return !axes.empty() && std::ranges::all_of(axes, is_ring);
}

}  // namespace espalier
