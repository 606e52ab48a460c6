// SPDX-License-Identifier: Apache-2.0
//      0 = = = 3
//     / \     / \      The whole message to the next site, then down the tree of this one: the binary tree that the
//    1   2   4   5     paper compares with, for 3 M/b.
#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/site_trees.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

bool feeds_next_site(const Builder& b) {
  const auto sites = sites_from(b.shape(), b.root());
  for (std::size_t s = 0; s + 1 < sites.size(); ++s) {
    if (sites[s].front() == b.rank()) return true;
  }
  return false;
}

// To the next site first, and only when all of that has left into this one.
void build(Builder& b) {
  const Tree tree = site_tree(b.shape(), b.rank(), b.root(), 2, NextSite::below_first);
  const Stream data = tree.has_parent() ? b.recv(tree.parent) : b.input();
  const std::vector<Rank> children = tree.children_farthest_first();
  const bool feeds = feeds_next_site(b);
  for (std::size_t k = 0; k < children.size(); ++k) {
    b.send(children[k], data);
    if (k == 0 && feeds) b.hold_until_sent();
  }
  b.output(data);
}

}  // namespace

extern const Algorithm bcast_sites_suspended{
    .name = "sites_suspended",
    .collective = Collective::bcast,
    .description = "a binary tree in each site that starts when the message has left for the next one",
    .source = "paper 2, section 7",
    .differs_by_network = true,
    .build = build,
};

}  // namespace espalier
