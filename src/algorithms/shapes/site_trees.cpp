// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/site_trees.hpp"

#include <algorithm>
#include <numeric>

#include "algorithms/shapes/node_tree.hpp"

namespace espalier {

std::vector<std::vector<Rank>> sites_from(const Shape& shape, Rank root) {
  std::vector<std::vector<Rank>> sites;
  if (shape.network == nullptr) {
    sites.emplace_back(shape.size);
    std::iota(sites[0].begin(), sites[0].end(), 0);
  } else if (shape.network->sites().empty()) {
    sites.emplace_back();
    for (int node = 0; node < shape.network->nodes(); ++node) {
      sites[0].push_back(leader_of(*shape.network, node, root));
    }
  } else {
    for (const std::vector<int>& nodes : shape.network->sites()) {
      sites.emplace_back();
      for (const int node : nodes) sites.back().push_back(leader_of(*shape.network, node, root));
    }
  }
  const auto has_root = [root](const std::vector<Rank>& site) { return std::ranges::count(site, root) > 0; };
  // Clang 14 does not compile std::ranges::rotate of its time's library.
  std::rotate(sites.begin(), std::ranges::find_if(sites, has_root), sites.end());
  // Sites in a chain are joined by the same two ranks, with few exceptions, whatever the root: theirs are the
  // connections over the WAN, which take many round trips to set up.
  const auto at = std::ranges::find(sites[0], root);
  std::rotate(sites[0].begin(), at, sites.size() > 1 ? at + 1 : sites[0].end());
  return sites;
}

Tree site_tree(const Shape& shape, Rank me, Rank root, int arity, NextSite next) {
  const std::vector<std::vector<Rank>> sites = sites_from(shape, root);
  Tree tree;
  if (shape.network != nullptr) {
    const Rank leader = leader_of(*shape.network, shape.network->node_of(me), root);
    if (me != leader) return {.parent = leader, .children = {}};
    for (const Rank rank : shape.network->ranks_on(shape.network->node_of(me))) {
      if (rank != me) tree.children.push_back(rank);
    }
  }
  const auto below = [next](const std::vector<Rank>& site) {
    return next == NextSite::below_first ? site.front() : site.back();
  };
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const auto found = std::ranges::find(sites[s], me);
    if (found == sites[s].end()) continue;
    const auto vrank = static_cast<Rank>(found - sites[s].begin());
    const Tree inside = complete_tree(vrank, static_cast<Rank>(sites[s].size()), 0, arity);
    if (inside.has_parent()) {
      tree.parent = sites[s][inside.parent];
    } else if (s > 0) {
      tree.parent = below(sites[s - 1]);
    }
    for (const Rank child : inside.children) tree.children.push_back(sites[s][child]);
    if (s + 1 < sites.size() && below(sites[s]) == me) tree.children.push_back(sites[s + 1].front());
  }
  return tree;
}

}  // namespace espalier
