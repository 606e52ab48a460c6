// SPDX-License-Identifier: Apache-2.0
#include "simulate/graph_wiring.hpp"

#include <stdexcept>

namespace espalier {

namespace {

constexpr int no_link = -1;

}  // namespace

GraphWiring::GraphWiring(const Machine& machine)
    : Wiring(static_cast<int>(machine.nodes.size()), 1, machine.simulated.link_seconds),
      arcs_(machine.arcs),
      leaving_(machine.nodes.size()),
      entering_(machine.nodes.size()),
      towards_(machine.nodes.size()) {
  for (std::size_t link = 0; link < arcs_.size(); ++link) {
    leaving_[static_cast<std::size_t>(arcs_[link].from)].push_back(static_cast<int>(link));
    entering_[static_cast<std::size_t>(arcs_[link].to)].push_back(static_cast<int>(link));
    links_.push_back(arcs_[link].bytes_per_second);
  }
}

// From the target backwards: of each node the first link that leads to one that is nearer.
const std::vector<int>& GraphWiring::links_towards(int node) const {
  std::vector<int>& towards = towards_[static_cast<std::size_t>(node)];
  if (!towards.empty()) return towards;
  towards.assign(static_cast<std::size_t>(nodes()), no_link);
  std::vector<int> hops(static_cast<std::size_t>(nodes()), -1), queue = {node};
  hops[static_cast<std::size_t>(node)] = 0;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (const int link : entering_[static_cast<std::size_t>(queue[k])]) {
      const auto before = static_cast<std::size_t>(arcs_[static_cast<std::size_t>(link)].from);
      if (hops[before] >= 0) continue;
      hops[before] = hops[static_cast<std::size_t>(queue[k])] + 1;
      queue.push_back(static_cast<int>(before));
    }
  }
  for (std::size_t from = 0; from < hops.size(); ++from) {
    for (const int link : leaving_[from]) {
      const auto next = static_cast<std::size_t>(arcs_[static_cast<std::size_t>(link)].to);
      if (hops[next] < 0 || hops[next] >= hops[from]) continue;
      towards[from] = link;
      break;
    }
  }
  return towards;
}

void GraphWiring::route(int from, int /*from_port*/, int to, int /*to_port*/, std::vector<int>& links) const {
  const std::vector<int>& towards = links_towards(to);
  for (int node = from; node != to;) {
    const int link = towards[static_cast<std::size_t>(node)];
    if (link == no_link) throw std::invalid_argument("no links lead from each node to each other one");
    links.push_back(link);
    node = arcs_[static_cast<std::size_t>(link)].to;
  }
}

}  // namespace espalier
