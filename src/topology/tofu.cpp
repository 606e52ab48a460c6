// SPDX-License-Identifier: Apache-2.0
#include "topology/tofu.hpp"

#include <map>
#include <stdexcept>
#include <string>

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

// Calls found(place) for each place that is a step further along one coordinate: so each link is found at one end.
template <class Found>
void for_each_next(const TofuPlace& place, Found found) {
  for (std::size_t k = 0; k < place.size(); ++k) {
    const int last = k < 3 ? place[k] + 1 : tofu_group[k - 3] - 1;
    TofuPlace next = place;
    while (++next[k] <= last) found(next);
  }
}

// Along one axis, of each folded place: where it is, and on which side.
struct TofuStep {
  int x = 0, side = 0;
};

std::vector<TofuStep> unfolded(int length, int group) {
  int sides = 1;
  for (const int tried : {3, 2}) {
    if (sides == 1 && tried <= group && length % tried == 0) sides = tried;
  }
  if (sides == 1 && length > 1)
    throw std::invalid_argument("allowed: multiples of " + std::to_string(group) + ", or 1");
  const TofuFold fold{length / sides, sides};
  std::vector<TofuStep> steps(static_cast<std::size_t>(length));
  for (int x = 0; x < fold.extent; ++x) {
    for (int side = 0; side < sides; ++side) steps[static_cast<std::size_t>(fold.place_of(x, side))] = {x, side};
  }
  return steps;
}

}  // namespace

int TofuFold::place_of(int x, int side) const {
  return sides == 3 ? fold_by_three(x, side, extent) : fold_by_two(x, side, extent);
}

Lattice folded_lattice(const std::array<int, 3>& extents) {
  Lattice lattice;
  for (std::size_t axis = 0; axis < 3; ++axis) lattice.axes.push_back(TofuFold{extents[axis], tofu_group[axis]}.axis());
  return lattice;
}

Coordinates folded_place(const TofuPlace& place, const std::array<int, 3>& extents) {
  Coordinates folded;
  for (std::size_t axis = 0; axis < 3; ++axis)
    folded.push_back(TofuFold{extents[axis], tofu_group[axis]}.place_of(place[axis], place[axis + 3]));
  return folded;
}

std::vector<TofuPlace> tofu_box(const std::array<int, 3>& box) {
  const auto along_x = unfolded(box[0], tofu_group[0]), along_y = unfolded(box[1], tofu_group[1]),
             along_z = unfolded(box[2], tofu_group[2]);
  std::vector<TofuPlace> places;
  for (const TofuStep& z : along_z) {
    for (const TofuStep& y : along_y) {
      for (const TofuStep& x : along_x) places.push_back({x.x, y.x, z.x, x.side, y.side, z.side});
    }
  }
  return places;
}

std::vector<Arc> tofu_arcs(std::span<const TofuPlace> places, double bytes_per_second) {
  std::map<TofuPlace, int> node_at;
  for (const TofuPlace& place : places) node_at.emplace(place, static_cast<int>(node_at.size()));
  std::vector<Arc> arcs;
  for (int node = 0; const TofuPlace& place : places) {
    for_each_next(place, [&](const TofuPlace& next) {
      const auto neighbour = node_at.find(next);
      if (neighbour == node_at.end()) return;
      arcs.push_back({node, neighbour->second, bytes_per_second});
      arcs.push_back({neighbour->second, node, bytes_per_second});
    });
    ++node;
  }
  return arcs;
}

}  // namespace espalier
