// SPDX-License-Identifier: Apache-2.0
#include "estimate/routes.hpp"

#include <algorithm>

namespace espalier {

namespace {

constexpr int far = 1 << 30;

// Links of a switched network, or what the engines of a node carry: out of a node and into it. Then, between sites, up
// and down.
int out_of(int node) { return 2 * node; }
int into(int node) { return 2 * node + 1; }

}  // namespace

Routes::Routes(const Network& network) : network_(network) {
  if (network.sites().empty()) {
    arcs_from_.resize(network.nodes());
    arcs_to_.resize(network.nodes());
    for (const Arc& arc : network.arcs()) {
      arcs_from_[arc.from].push_back(static_cast<int>(bytes_per_second_.size()));
      arcs_to_[arc.to].push_back(static_cast<int>(bytes_per_second_.size()));
      bytes_per_second_.push_back(arc.bytes_per_second);
    }
    if (network.engines() > 0) {
      bytes_per_second_.insert(bytes_per_second_.end(), 2 * network.nodes(), network.engines_bytes_per_second());
    }
    return;
  }
  site_of_.resize(network.nodes());
  const int sites = static_cast<int>(network.sites().size());
  for (int site = 0; site < sites; ++site) {
    for (const int node : network.sites()[site]) site_of_[node] = site;
  }
  const int links = 2 * (network.nodes() + sites - 1);
  bytes_per_second_.assign(links, network.wan_bytes_per_second());
  std::fill_n(bytes_per_second_.begin(), 2 * network.nodes(), network.bytes_per_second());
}

const Route& Routes::between(int from, int to) {
  const auto [found, is_new] = routes_.try_emplace({from, to});
  if (is_new) found->second = site_of_.empty() ? over_arcs(from, to) : over_switches(from, to);
  return found->second;
}

Route Routes::over_arcs(int from, int to) {
  const std::vector<int>& hops = hops_to(to);
  Route route;
  const int engines = static_cast<int>(network_.arcs().size());  // the first of these links
  if (network_.engines() > 0) route.links.push_back(engines + out_of(from));
  for (int node = from; node != to;) {
    for (const int arc : arcs_from_[node]) {
      const int next = network_.arcs()[arc].to;
      if (hops[next] >= hops[node]) continue;
      route.links.push_back(arc);
      node = next;
      break;
    }
  }
  if (network_.engines() > 0) route.links.push_back(engines + into(to));
  return route;
}

Route Routes::over_switches(int from, int to) const {
  Route route{.links = {out_of(from)}};
  const int step = site_of_[to] > site_of_[from] ? 1 : -1;
  for (int site = site_of_[from]; site != site_of_[to]; site += step) {
    const int gap = step > 0 ? site : site - 1;
    route.links.push_back(2 * (network_.nodes() + gap) + (step > 0 ? 0 : 1));
    route.delay += network_.wan_seconds();
  }
  route.links.push_back(into(to));
  return route;
}

const std::vector<int>& Routes::hops_to(int node) {
  std::vector<int>& hops = hops_[node];
  if (!hops.empty()) return hops;
  hops.assign(network_.nodes(), far);
  hops[node] = 0;
  std::vector<int> queue = {node};
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (const int arc : arcs_to_[queue[k]]) {
      const int before = network_.arcs()[arc].from;
      if (hops[before] != far) continue;
      hops[before] = hops[queue[k]] + 1;
      queue.push_back(before);
    }
  }
  return hops;
}

}  // namespace espalier
