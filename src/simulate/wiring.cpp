// SPDX-License-Identifier: Apache-2.0
#include "simulate/wiring.hpp"

#include <algorithm>

#include "simulate/dragonfly_wiring.hpp"
#include "simulate/fat_tree_wiring.hpp"
#include "simulate/graph_wiring.hpp"
#include "simulate/lattice_wiring.hpp"
#include "simulate/switched_wiring.hpp"
#include "simulate/tofu_wiring.hpp"

namespace espalier {

namespace {

bool is_whole_lattice(const Machine& machine) {
  return machine.lattice && machine.tofu.empty() && std::ranges::count(machine.node_at, no_node) == 0;
}

}  // namespace

std::unique_ptr<const Wiring> wiring_of(const Machine& machine) {
  if (machine.simulated.fat_tree) return std::make_unique<FatTreeWiring>(machine);
  if (machine.simulated.dragonfly) return std::make_unique<DragonflyWiring>(machine);
  if (machine.nic_bytes_per_second > 0) return std::make_unique<SwitchedWiring>(machine);
  if (is_whole_tofu(machine)) return std::make_unique<TofuWiring>(machine);
  if (is_whole_lattice(machine)) return std::make_unique<LatticeWiring>(machine);
  return std::make_unique<GraphWiring>(machine);
}

}  // namespace espalier
