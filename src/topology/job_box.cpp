// SPDX-License-Identifier: Apache-2.0
#include "topology/job_box.hpp"

#include <algorithm>
#include <array>

namespace espalier {

namespace {

// The places along one axis that are used: all of a ring, or a stretch of it, which may go round its end.
struct AxisStretch {
  int first = 0;
  int length = 0;  // 0: there are gaps
};

AxisStretch stretch_of(const std::vector<bool>& used, bool wraps) {
  const int extent = static_cast<int>(used.size());
  const int count = static_cast<int>(std::ranges::count(used, true));
  for (int first = 0; first < (wraps ? extent : extent - count + 1); ++first) {
    int length = 0;
    while (length < count && used[(first + length) % extent]) ++length;
    if (length == count) return {first, count};
  }
  return {};
}

// Nodes at these places of the lattice; they fill it, unless there are fewer.
std::optional<JobBox> filled(Lattice lattice, const std::vector<Coordinates>& places) {
  if (lattice.points() != static_cast<int>(places.size())) return {};
  JobBox box{.lattice = std::move(lattice), .node_by_place = std::vector<int>(places.size(), no_node)};
  for (int node = 0; const Coordinates& place : places) {
    box.place_by_node.push_back(box.lattice.number_of(place));
    box.node_by_place[box.place_by_node.back()] = node++;
  }
  if (std::ranges::is_sorted(box.place_by_node)) {
    box.node_by_place = std::vector<int>();
    box.place_by_node = std::vector<int>();
  }
  return box;
}

std::optional<JobBox> find_in_lattice(const Machine& machine, std::span<const int> ours, int nodes) {
  const Lattice& whole = *machine.lattice;
  std::vector<Coordinates> at(nodes);
  std::vector<std::vector<bool>> used;
  for (const Lattice::Axis& axis : whole.axes) used.emplace_back(axis.extent, false);
  for (int number = 0; number < whole.points(); ++number) {
    const int node = machine.node_at[number];
    if (node == no_node || ours[node] == no_node) continue;
    at[ours[node]] = whole.coordinates_of(number);
    for (int a = 0; a < whole.dimensions(); ++a) used[a][at[ours[node]][a]] = true;
  }
  Lattice lattice;
  std::vector<Coordinates> places(nodes);
  for (int a = 0; a < whole.dimensions(); ++a) {
    const auto& [extent, wraps, doubled] = whole.axes[a];
    const AxisStretch stretch = stretch_of(used[a], wraps);
    if (stretch.length == 0) return {};
    if (stretch.length == 1) continue;
    const bool is_ring = wraps && stretch.length == extent;
    lattice.axes.push_back({stretch.length, is_ring, is_ring && doubled});
    for (int node = 0; node < nodes; ++node) places[node].push_back((at[node][a] - stretch.first + extent) % extent);
  }
  return filled(std::move(lattice), places);
}

// Along one of X, Y and Z, and the coordinate of the group that goes with it.
class TofuStretch {
 public:
  TofuStretch(std::span<const TofuPlace> places, std::size_t axis) : axis_(axis) {
    const auto [least, most] = std::ranges::minmax(places, {}, [&](const TofuPlace& place) { return place[axis]; });
    first_ = least[axis];
    fold_.extent = most[axis] - first_ + 1;
    std::array<bool, 3> is_used{};
    for (const TofuPlace& place : places) is_used[place[axis + 3]] = true;
    fold_.sides = 0;
    for (std::size_t side = 0; side < is_used.size(); ++side) {
      if (is_used[side]) number_of_side_[side] = fold_.sides++;
    }
  }

  [[nodiscard]] Lattice::Axis axis() const { return fold_.axis(); }
  [[nodiscard]] int place_of(const TofuPlace& place) const {
    return fold_.place_of(place[axis_] - first_, number_of_side_[place[axis_ + 3]]);
  }

 private:
  std::size_t axis_;
  int first_ = 0;
  TofuFold fold_;
  std::array<int, 3> number_of_side_{};
};

std::optional<JobBox> find_in_tofu(const Machine& machine, std::span<const int> ours, int nodes) {
  std::vector<TofuPlace> at(nodes);
  for (std::size_t node = 0; node < machine.tofu.size(); ++node) {
    if (ours[node] != no_node) at[ours[node]] = machine.tofu[node];
  }
  Lattice lattice;
  std::vector<Coordinates> places(nodes);
  std::int64_t points = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const TofuStretch stretch(at, axis);
    if ((points *= stretch.axis().extent) > nodes) return {};
    if (stretch.axis().extent == 1) continue;
    lattice.axes.push_back(stretch.axis());
    for (int node = 0; node < nodes; ++node) places[node].push_back(stretch.place_of(at[node]));
  }
  return filled(std::move(lattice), places);
}

}  // namespace

std::optional<JobBox> find_job_box(const Machine& machine, std::span<const int> ours, int nodes) {
  if (!machine.lattice) return {};
  std::optional<JobBox> box;
  if (!machine.tofu.empty()) box = find_in_tofu(machine, ours, nodes);
  return box ? box : find_in_lattice(machine, ours, nodes);
}

}  // namespace espalier
