// SPDX-License-Identifier: Apache-2.0
#include "topology/machine.hpp"

#include <algorithm>

namespace espalier {

int Machine::node_named(std::string_view name) const {
  for (const std::string_view tried : {name, name.substr(0, name.find('.'))}) {
    const auto found = std::ranges::find(nodes, tried, &MachineNode::name);
    if (found != nodes.end()) return static_cast<int>(found - nodes.begin());
  }
  return no_node;
}

int Machine::sites() const {
  int count = 1;
  for (const MachineNode& node : nodes) count = std::max(count, node.site + 1);
  return count;
}

namespace {

std::vector<Arc> said_links(const Machine& machine, double rate) {
  return machine.tofu.empty() ? arcs_of(*machine.lattice, machine.node_at, rate) : tofu_arcs(machine.tofu, rate);
}

}  // namespace

Machine without_what_follows(Machine machine) {
  for (MachineNode& node : machine.nodes) node.name = {};
  if (!machine.lattice || machine.arcs.empty()) return machine;
  const double rate = machine.arcs.front().bytes_per_second;
  if (said_links(machine, rate) != machine.arcs) return machine;
  machine.link_bytes_per_second = rate;
  machine.arcs = std::vector<Arc>();  // braces alone would keep its memory
  return machine;
}

std::vector<Arc> links_of(const Machine& machine) {
  return machine.says_links() ? said_links(machine, machine.link_bytes_per_second) : machine.arcs;
}

std::vector<Arc> arcs_of(const Lattice& lattice, const std::vector<int>& node_at, double bytes_per_second) {
  std::vector<Arc> arcs;
  Coordinates other;
  for (int number = 0; number < lattice.points(); ++number) {
    if (node_at[number] == no_node) continue;
    const Coordinates place = lattice.coordinates_of(number);
    for (int axis = 0; axis < lattice.dimensions(); ++axis) {
      // The two neighbours in a ring of two are one, usually joined by one link.
      const bool is_pair = lattice.axes[axis].wraps && lattice.axes[axis].extent == 2 && !lattice.axes[axis].doubled;
      for (const int step : {1, -1}) {
        if (is_pair && step < 0) continue;
        other = place;
        if (!lattice.step(other, axis, step)) continue;
        const int neighbour = node_at[lattice.number_of(other)];
        if (neighbour != no_node) arcs.push_back({node_at[number], neighbour, bytes_per_second});
      }
    }
  }
  return arcs;
}

}  // namespace espalier
