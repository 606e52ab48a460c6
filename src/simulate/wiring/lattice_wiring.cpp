// SPDX-License-Identifier: Apache-2.0
#include "simulate/wiring/lattice_wiring.hpp"

#include "core/types.hpp"

namespace espalier {

namespace {

// How far along an axis, and in which direction: the shorter one, upwards if both are as long.
struct HopsAlong {
  int hops = 0, step = 1;
};

HopsAlong hops_along(const Lattice::Axis& axis, int from, int to) {
  const int up = to - from;
  if (!axis.wraps) return up >= 0 ? HopsAlong{up, 1} : HopsAlong{-up, -1};
  const int round = wrap(up, axis.extent);
  return 2 * round <= axis.extent ? HopsAlong{round, 1} : HopsAlong{axis.extent - round, -1};
}

}  // namespace

LatticeWiring::LatticeWiring(const Machine& machine)
    : Wiring(static_cast<int>(machine.nodes.size()), 1, machine.simulated.link_seconds),
      lattice_(*machine.lattice),
      node_at_(machine.node_at),
      place_of_(machine.nodes.size()) {
  for (int place = 0; place < lattice_.points(); ++place) place_of_[static_cast<std::size_t>(node_at_[place])] = place;
  const double rate = machine.arcs.empty() ? 1 : machine.arcs.front().bytes_per_second;
  links_.assign(2 * static_cast<std::size_t>(lattice_.points()) * static_cast<std::size_t>(lattice_.dimensions()),
                rate);
}

int LatticeWiring::link_from(int place, int axis, int step) const {
  // The two neighbours in a ring of two are one, which one link leads to unless there are two.
  const Lattice::Axis& along = lattice_.axes[static_cast<std::size_t>(axis)];
  const bool is_pair = along.extent == 2 && !along.doubled;
  return 2 * (place * lattice_.dimensions() + axis) + (step > 0 || is_pair ? 0 : 1);
}

void LatticeWiring::route(int from, int /*from_port*/, int to, int /*to_port*/, std::vector<int>& links) const {
  int place = place_of_[static_cast<std::size_t>(from)], target = place_of_[static_cast<std::size_t>(to)];
  int stride = 1;  // of the axis, in numbers of places
  for (int axis = 0; axis < lattice_.dimensions(); ++axis) {
    const Lattice::Axis& along = lattice_.axes[static_cast<std::size_t>(axis)];
    int here = place / stride % along.extent;
    const HopsAlong along_axis = hops_along(along, here, target / stride % along.extent);
    for (int hop = 0; hop < along_axis.hops; ++hop) {
      links.push_back(link_from(place, axis, along_axis.step));
      const int next = wrap(here + along_axis.step, along.extent);
      place += (next - here) * stride;
      here = next;
    }
    stride *= along.extent;
  }
}

}  // namespace espalier
