// SPDX-License-Identifier: Apache-2.0
#include "simulate/tofu_wiring.hpp"

#include <algorithm>

namespace espalier {

namespace {

constexpr int no_link = -1;

struct TofuBounds {
  TofuPlace first{}, extents{};
};

TofuBounds bounds_of(std::span<const TofuPlace> places) {
  TofuBounds bounds;
  for (std::size_t axis = 0; axis < bounds.first.size(); ++axis) {
    const auto [least, most] = std::ranges::minmax(places, {}, [&](const TofuPlace& place) { return place[axis]; });
    bounds.first[axis] = least[axis];
    bounds.extents[axis] = most[axis] - least[axis] + 1;
  }
  return bounds;
}

// One step from a coordinate towards another one: in the group any of them is next to any other.
int next_towards(std::size_t axis, int here, int there) {
  if (axis >= 3) return there;
  return here + (there > here ? 1 : -1);
}

// b is a ring of three: its links are up and down, too.
bool goes_up(std::size_t axis, int here, int next) { return axis == 4 ? (next - here + 3) % 3 == 1 : next > here; }

}  // namespace

bool is_whole_tofu(const Machine& machine) {
  if (machine.tofu.empty()) return false;
  std::size_t places = 1;
  for (const int extent : bounds_of(machine.tofu).extents) places *= static_cast<std::size_t>(extent);
  return places == machine.tofu.size();
}

TofuWiring::TofuWiring(const Machine& machine)
    : Wiring(static_cast<int>(machine.nodes.size()), 1, machine.simulated.link_seconds), places_(machine.tofu) {
  const TofuBounds bounds = bounds_of(places_);
  first_ = bounds.first;
  extents_ = bounds.extents;
  std::array<int, 12> none{};
  none.fill(no_link);
  link_of_.assign(places_.size(), none);
  for (const Arc& arc : machine.arcs) {
    const TofuPlace& from = places_[static_cast<std::size_t>(arc.from)];
    const TofuPlace& to = places_[static_cast<std::size_t>(arc.to)];
    const auto axis = static_cast<std::size_t>(std::ranges::mismatch(from, to).in1 - from.begin());
    const std::size_t slot = 2 * axis + (goes_up(axis, from[axis], to[axis]) ? 0 : 1);
    link_of_[static_cast<std::size_t>(number_of(from))][slot] = static_cast<int>(links_.size());
    links_.push_back(arc.bytes_per_second);
  }
}

int TofuWiring::number_of(const TofuPlace& place) const {
  int number = 0;
  for (std::size_t axis = place.size(); axis-- > 0;) number = number * extents_[axis] + place[axis] - first_[axis];
  return number;
}

void TofuWiring::route(int from, int /*from_port*/, int to, int /*to_port*/, std::vector<int>& links) const {
  TofuPlace here = places_[static_cast<std::size_t>(from)];
  const TofuPlace& there = places_[static_cast<std::size_t>(to)];
  for (std::size_t axis = 0; axis < here.size(); ++axis) {
    while (here[axis] != there[axis]) {
      const int next = next_towards(axis, here[axis], there[axis]);
      const std::size_t slot = 2 * axis + (goes_up(axis, here[axis], next) ? 0 : 1);
      links.push_back(link_of_[static_cast<std::size_t>(number_of(here))][slot]);
      here[axis] = next;
    }
  }
}

}  // namespace espalier
