// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/site_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "topology/network.hpp"

namespace espalier {
namespace {

// Two sites of four nodes.
Network two_sites() {
  Machine machine;
  std::vector<int> node_of;
  for (int node = 0; node < 8; ++node) {
    machine.nodes.push_back({"n" + std::to_string(node), 1, node / 4});
    node_of.push_back(node);
  }
  machine.nic_bytes_per_second = 1e6;
  machine.wan_seconds = 0.01;
  return Network(machine, node_of);
}

int site_of(Rank rank) { return rank / 4; }

// The pairs that a chain from any root joins over the WAN, and from how many roots.
std::map<std::pair<Rank, Rank>, int> pairs_over_wan(const Shape& shape) {
  std::map<std::pair<Rank, Rank>, int> found;
  for (Rank root = 0; root < shape.size; ++root) {
    for (Rank rank = 0; rank < shape.size; ++rank) {
      for (const Rank child : site_tree(shape, rank, root, 1, NextSite::below_last).children) {
        if (site_of(child) != site_of(rank)) ++found[{rank, child}];
      }
    }
  }
  return found;
}

// Connections over a WAN are many, and take long to set up.
TEST(SiteTrees, join_sites_by_the_same_two_ranks_from_nearly_every_root) {
  const Network network = two_sites();
  const auto pairs = pairs_over_wan({8, &network});
  EXPECT_EQ(pairs.at({3, 4}), 3);  // from 0, 1 and 2
  EXPECT_EQ(pairs.at({2, 4}), 1);  // from 3, which comes first in its site
  EXPECT_EQ(pairs.at({7, 0}), 3);
  EXPECT_EQ(pairs.at({6, 0}), 1);
  EXPECT_EQ(pairs.size(), 4);
}

TEST(SiteTrees, have_the_root_first_and_everybody_once) {
  const Network network = two_sites();
  for (Rank root = 0; root < 8; ++root) {
    const auto sites = sites_from({8, &network}, root);
    ASSERT_EQ(sites.size(), 2);
    EXPECT_EQ(sites[0][0], root);
    std::vector<Rank> all = sites[0];
    all.insert(all.end(), sites[1].begin(), sites[1].end());
    std::ranges::sort(all);
    EXPECT_EQ(all, (std::vector<Rank>{0, 1, 2, 3, 4, 5, 6, 7}));
  }
}

}  // namespace
}  // namespace espalier
