// SPDX-License-Identifier: Apache-2.0
#include "simulate/fat_tree_wiring.hpp"

namespace espalier {

FatTreeWiring::FatTreeWiring(const Machine& machine)
    : Wiring(static_cast<int>(machine.nodes.size()), 1, machine.simulated.link_seconds),
      tree_(*machine.simulated.fat_tree) {
  links_.assign(2 * machine.nodes.size(), machine.nic_bytes_per_second);
  links_.insert(links_.end(), 2 * static_cast<std::size_t>(tree_.leaves) * static_cast<std::size_t>(tree_.uplinks),
                tree_.bytes_per_second);
}

int FatTreeWiring::leaf_of(int node) const { return static_cast<int>(std::int64_t{node} * tree_.leaves / nodes()); }

void FatTreeWiring::route(int from, int /*from_port*/, int to, int /*to_port*/, std::vector<int>& links) const {
  links.push_back(2 * from);
  if (leaf_of(from) != leaf_of(to)) {
    const int number = to % tree_.uplinks;
    links.push_back(uplink(leaf_of(from), number));
    links.push_back(uplink(leaf_of(to), number) + 1);
  }
  links.push_back(2 * to + 1);
}

}  // namespace espalier
