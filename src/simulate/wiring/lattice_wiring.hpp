// SPDX-License-Identifier: Apache-2.0
// Tori and meshes with dimension-order routes: along the first axis, the shorter direction, then along the next.
#pragma once

#include "simulate/wiring/wiring.hpp"

namespace espalier {

class LatticeWiring : public Wiring {
 public:
  // Of a machine with a lattice that misses no node.
  explicit LatticeWiring(const Machine& machine);
  void route(int from, int from_port, int to, int to_port, std::vector<int>& links) const override;

 private:
  [[nodiscard]] int link_from(int place, int axis, int step) const;

  const Lattice& lattice_;
  const std::vector<int>& node_at_;
  std::vector<int> place_of_;
};

}  // namespace espalier
