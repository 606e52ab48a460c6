// SPDX-License-Identifier: Apache-2.0
// Any links between nodes. A message takes a shortest route, and among several the one by the first link of each node.
#pragma once

#include "simulate/wiring/wiring.hpp"

namespace espalier {

class GraphWiring : public Wiring {
 public:
  explicit GraphWiring(const Machine& machine);
  void route(int from, int from_port, int to, int to_port, std::vector<int>& links) const override;

 private:
  [[nodiscard]] const std::vector<int>& links_towards(int node) const;

  std::span<const Arc> arcs_;
  std::vector<std::vector<int>> leaving_, entering_;  // of each node: links
  mutable std::vector<std::vector<int>> towards_;     // of each target, when it was asked for: of each node the link
};

}  // namespace espalier
