// SPDX-License-Identifier: Apache-2.0
#include "topology/tofu.hpp"

namespace espalier {

namespace {

// Up one side, down the other.
int fold_by_two(int x, int side, int extent) { return side == 0 ? x : 2 * extent - 1 - x; }

// Up one side; back in pairs of the two others, the first of which changes from step to step.
int fold_by_three(int y, int side, int extent) {
  if (side == 0) return y;
  const int back = extent - 1 - y;
  return extent + 2 * back + (back % 2 == 0 ? side - 1 : 2 - side);
}

}  // namespace

Lattice folded_lattice(const std::array<int, 3>& extents) {
  Lattice lattice;
  for (int axis = 0; axis < 3; ++axis) lattice.axes.push_back({extents[axis] * tofu_group[axis], true});
  return lattice;
}

Coordinates folded_place(const TofuPlace& place, const std::array<int, 3>& extents) {
  const auto [x, y, z, a, b, c] = place;
  return {fold_by_two(x, a, extents[0]), fold_by_three(y, b, extents[1]), fold_by_two(z, c, extents[2])};
}

}  // namespace espalier
