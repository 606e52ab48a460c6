// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/two_trees.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "../support/built.hpp"
#include "../support/link_loads.hpp"
#include "algorithms/algorithm.hpp"

namespace espalier {
namespace {

std::vector<int> places(int first, int count) {
  std::vector<int> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), first);
  return result;
}

// Everybody but the root gets each half once; no NIC sends or receives twice. Returns the longest route.
int check(std::span<const std::vector<int>> sites) {
  const std::vector<LaneEdge> edges = two_trees(sites);
  std::set<std::pair<int, int>> sending, receiving;
  std::map<std::pair<int, int>, int> sender;  // by receiver and half
  for (const LaneEdge& edge : edges) {
    EXPECT_LT(edge.lane, 2);
    EXPECT_TRUE(sending.insert({edge.from, edge.lane}).second) << edge.from << " sends twice over a NIC";
    EXPECT_TRUE(receiving.insert({edge.to, edge.lane}).second) << edge.to << " receives twice over a NIC";
    EXPECT_TRUE(sender.insert({{edge.to, edge.half}, edge.from}).second);
  }
  std::size_t nodes = 0;
  int longest = 0;
  for (const std::vector<int>& site : sites) {
    nodes += site.size();
    for (const int node : site) {
      for (int half = 0; half < 2; ++half) {
        int hops = 0;
        for (int at = node; at != sites[0][0]; at = sender.at({at, half})) {
          if (++hops > 10000) return ADD_FAILURE() << "a cycle", 0;
        }
        longest = std::max(longest, hops);
      }
    }
  }
  EXPECT_EQ(edges.size(), 2 * (nodes - 1));
  return longest;
}

TEST(TwoTrees, use_every_nic_at_most_once_in_each_direction_for_any_number_of_nodes) {
  for (int nodes = 1; nodes <= 64; ++nodes) {
    const std::vector<int> sites[] = {places(0, nodes)};
    EXPECT_LE(check(sites), 2 + std::log2(nodes + 1)) << nodes;
  }
}

TEST(TwoTrees, feed_each_site_from_the_one_before_it) {
  for (int first = 1; first <= 9; ++first) {
    for (int second = 1; second <= 9; ++second) {
      for (int third = 1; third <= 4; ++third) {
        const std::vector<int> sites[] = {places(0, first), places(20, second), places(40, third)};
        check(sites);
        int across = 0;
        for (const LaneEdge& edge : two_trees(sites)) across += edge.from / 20 != edge.to / 20 ? 1 : 0;
        EXPECT_EQ(across, 4) << "two streams over each WAN";
      }
    }
  }
}

// Figure 1 of paper 2: eleven nodes, the root among them.
TEST(TwoTrees, are_those_of_the_paper_for_4n_minus_1_nodes) {
  const std::vector<int> sites[] = {places(0, 11)};
  std::set<std::pair<int, int>> first_half;
  for (const LaneEdge& edge : two_trees(sites)) {
    if (edge.half == 0) first_half.insert({edge.from, edge.to});
  }
  // A is 1 to 5, B is 6 to 10; A_3, A_4 and A_5 are leaves.
  const std::set<std::pair<int, int>> expected = {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {2, 5},
                                                  {3, 6}, {3, 7}, {4, 8}, {4, 9}, {5, 10}};
  EXPECT_EQ(first_half, expected);
}

// The schedules themselves, from every root.
TEST(Multilane, has_one_stream_per_nic_and_direction) {
  const Algorithm& algorithm = *find_algorithm(Collective::bcast, "multilane");
  for (Rank size = 2; size <= 64; ++size) {
    for (Rank root = 0; root < size; ++root) {
      std::set<std::pair<Rank, int>> sending, receiving;
      for (Rank me = 0; me < size; ++me) {
        const Schedule schedule = built(algorithm, {size}, me, {.root = root, .in_place = true});
        for (const Operation& op : schedule.operations) {
          if (!op.communicates()) continue;
          auto& side = op.kind == Operation::Kind::send ? sending : receiving;
          EXPECT_TRUE(side.insert({me, op.path}).second) << size << " ranks, root " << root;
        }
      }
    }
  }
}

}  // namespace
}  // namespace espalier
