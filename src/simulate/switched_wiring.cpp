// SPDX-License-Identifier: Apache-2.0
#include "simulate/switched_wiring.hpp"

#include <algorithm>

namespace espalier {

namespace {

// Messages go over as many NICs as each node has.
int ports_of(const Machine& machine) { return std::ranges::min(machine.nodes, {}, &MachineNode::nics).nics; }

}  // namespace

SwitchedWiring::SwitchedWiring(const Machine& machine)
    : Wiring(static_cast<int>(machine.nodes.size()), ports_of(machine), machine.simulated.link_seconds),
      wan_seconds_(machine.wan_seconds) {
  const auto rate_of = [&](int port) {
    return machine.nic_rates.empty() ? machine.nic_bytes_per_second : machine.nic_rates[static_cast<std::size_t>(port)];
  };
  for (const MachineNode& node : machine.nodes) {
    site_of_.push_back(node.site);
    for (int port = 0; port < ports(); ++port) links_.insert(links_.end(), 2, rate_of(port));
  }
  // As much as a node's NICs together, in each direction.
  links_.insert(links_.end(), 2 * static_cast<std::size_t>(machine.sites() - 1),
                machine.nic_bytes_per_second * ports());
}

void SwitchedWiring::route(int from, int from_port, int to, int to_port, std::vector<int>& links) const {
  links.push_back(out_of(from, from_port));
  const int last = site_of_[static_cast<std::size_t>(to)];
  const int step = last > site_of_[static_cast<std::size_t>(from)] ? 1 : -1;
  for (int site = site_of_[static_cast<std::size_t>(from)]; site != last; site += step) {
    const int gap = step > 0 ? site : site - 1;
    links.push_back(first_wan_link() + 2 * gap + (step > 0 ? 0 : 1));
  }
  links.push_back(into(to, to_port));
}

double SwitchedWiring::delay(std::span<const int> links) const {
  const auto hops =
      static_cast<double>(std::ranges::count_if(links, [&](int link) { return link >= first_wan_link(); }));
  return Wiring::delay(links) + hops * wan_seconds_;
}

}  // namespace espalier
