// SPDX-License-Identifier: Apache-2.0
// The box of a machine's lattice that the nodes of a job fill. Along an axis that they fill from end to end it is a
// ring where the machine's is one; a part of an axis is a line, which may go across the end of a ring. Axes of one
// place are left out. On Tofu each box of its six coordinates is folded by itself (tofu.hpp), wherever it lies.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "topology/machine.hpp"

namespace espalier {

struct JobBox {
  Lattice lattice;
  // Of each place its node, of each node its place. Empty: they have the same numbers.
  std::vector<int> node_by_place, place_by_node;

  // Which node of the job is at a place of this number, and the number of a node's place.
  [[nodiscard]] int node_at(int place) const {
    return node_by_place.empty() ? place : node_by_place[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] int number_of(int node) const {
    return place_by_node.empty() ? node : place_by_node[static_cast<std::size_t>(node)];
  }
};

// `ours`: the number in the job of each of the machine's nodes, or no_node; of `nodes` in all. Nothing: they fill none.
[[nodiscard]] std::optional<JobBox> find_job_box(const Machine& machine, std::span<const int> ours, int nodes);

}  // namespace espalier
