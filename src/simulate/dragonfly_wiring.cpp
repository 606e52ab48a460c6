// SPDX-License-Identifier: Apache-2.0
#include "simulate/dragonfly_wiring.hpp"

namespace espalier {

DragonflyWiring::DragonflyWiring(const Machine& machine)
    : Wiring(static_cast<int>(machine.nodes.size()), 1, machine.simulated.link_seconds),
      fly_(*machine.simulated.dragonfly),
      first_local_(2 * nodes()),
      first_global_(first_local_ + fly_.groups * fly_.routers * fly_.routers) {
  links_.assign(static_cast<std::size_t>(first_local_), machine.nic_bytes_per_second);
  links_.resize(static_cast<std::size_t>(first_global_), fly_.bytes_per_second);
  links_.resize(static_cast<std::size_t>(first_global_ + fly_.groups * fly_.groups), fly_.global_bytes_per_second);
}

int DragonflyWiring::router_of(int node) const {
  return static_cast<int>(std::int64_t{node} * fly_.groups * fly_.routers / nodes());
}

void DragonflyWiring::route(int from, int /*from_port*/, int to, int /*to_port*/, std::vector<int>& links) const {
  links.push_back(2 * from);
  int router = router_of(from);
  const int last = router_of(to), group = router / fly_.routers, last_group = last / fly_.routers;
  const auto go_to = [&](int next) {
    if (next != router) links.push_back(local_link(router, next));
    router = next;
  };
  if (group != last_group) {
    go_to(gateway(group, last_group));
    links.push_back(global_link(group, last_group));
    router = gateway(last_group, group);
  }
  go_to(last);
  links.push_back(2 * to + 1);
}

}  // namespace espalier
