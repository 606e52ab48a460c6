// SPDX-License-Identifier: Apache-2.0
// Groups of routers with nodes on them. All routers of a group are joined, and each two groups by one link, which ends
// at routers that take turns. Routes are minimal: at most one link in the first group, one between the groups, and one
// in the last.
#pragma once

#include "simulate/wiring.hpp"

namespace espalier {

class DragonflyWiring : public Wiring {
 public:
  explicit DragonflyWiring(const Machine& machine);
  void route(int from, int from_port, int to, int to_port, std::vector<int>& links) const override;

 private:
  [[nodiscard]] int router_of(int node) const;  // of all
  // The router of a group at which its link to another one ends.
  [[nodiscard]] int gateway(int group, int other) const { return group * fly_.routers + other % fly_.routers; }
  [[nodiscard]] int local_link(int router, int other) const {
    return first_local_ + router * fly_.routers + other % fly_.routers;
  }
  [[nodiscard]] int global_link(int group, int other) const { return first_global_ + group * fly_.groups + other; }

  Dragonfly fly_;
  int first_local_, first_global_;
};

}  // namespace espalier
