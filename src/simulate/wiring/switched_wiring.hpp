// SPDX-License-Identifier: Apache-2.0
// Nodes whose NICs meet in switches that do not block; sites of them in a chain, with a WAN between two that follow one
// another.
#pragma once

#include "simulate/wiring/wiring.hpp"

namespace espalier {

class SwitchedWiring : public Wiring {
 public:
  explicit SwitchedWiring(const Machine& machine);
  void route(int from, int from_port, int to, int to_port, std::vector<int>& links) const override;
  [[nodiscard]] double delay(std::span<const int> links) const override;

 private:
  [[nodiscard]] int out_of(int node, int port) const { return 2 * (node * ports() + port); }
  [[nodiscard]] int into(int node, int port) const { return out_of(node, port) + 1; }
  [[nodiscard]] int first_wan_link() const { return 2 * nodes() * ports(); }

  double wan_seconds_;
  std::vector<int> site_of_;
};

}  // namespace espalier
