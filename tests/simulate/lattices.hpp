// SPDX-License-Identifier: Apache-2.0
// Small lattices with a rank on each node.
#pragma once

#include <numeric>

#include "core/choice.hpp"
#include "core/problem.hpp"
#include "simulate/simulator.hpp"

namespace espalier::lattices {

inline constexpr double hop = 1e-6, rate = 1e9;

inline Machine lattice(std::vector<Lattice::Axis> axes) {
  Machine machine{.hop_seconds = hop, .arithmetic_bytes_per_second = 5e9};
  machine.lattice = Lattice{std::move(axes)};
  for (int node = 0; node < machine.lattice->points(); ++node) {
    machine.nodes.push_back({"n" + std::to_string(node)});
    machine.node_at.push_back(node);
  }
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, rate);
  return machine;
}

inline std::vector<int> one_each(const Machine& machine) {
  std::vector<int> node_of(machine.nodes.size());
  std::iota(node_of.begin(), node_of.end(), 0);
  return node_of;
}

inline Choice choice_of(Collective collective, std::string_view name, std::size_t segment_bytes) {
  return {.algorithm = find_algorithm(collective, name), .cut = {.segment_bytes = segment_bytes, .window = 4}};
}

inline Problem problem_of(Collective collective, std::size_t bytes) {
  return contract_of(collective).reduces ? Problem{collective, 0, bytes / 8, 8} : Problem{collective, 0, bytes, 1};
}

}  // namespace espalier::lattices
