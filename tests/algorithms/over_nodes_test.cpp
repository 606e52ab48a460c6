// SPDX-License-Identifier: Apache-2.0
#include "algorithms/over_nodes.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "../support/built.hpp"
#include "schedule/partition.hpp"
#include "topology/network.hpp"

namespace espalier {
namespace {

// Ranks that follow one another share a node.
RanksByNode in_blocks(int nodes, Rank ranks_per_node) {
  std::vector<int> node_of;
  for (int node = 0; node < nodes; ++node)
    node_of.insert(node_of.end(), static_cast<std::size_t>(ranks_per_node), node);
  return RanksByNode(node_of);
}

// What leaves a node for others.
struct Outgoing {
  int messages = 0, blocks = 0;
  friend bool operator==(const Outgoing&, const Outgoing&) = default;
};

Outgoing leaving_node(std::string_view name, Collective collective, const RanksByNode& nodes, Rank size, int leaders) {
  const Shape shape{.size = size, .by_node = &nodes};
  Outgoing outgoing;
  for (const Rank rank : nodes.ranks_on(0)) {
    const Schedule schedule = built(collective, name, shape, rank, {.leaders = leaders});
    for (const Operation& operation : schedule.operations) {
      if (operation.kind != Operation::Kind::send) continue;
      const int blocks = operation.walked().blocks;
      for (int k = 0; k < blocks; ++k) {
        if (nodes.node_of(operation.peer(k)) == 0) continue;
        ++outgoing.blocks;
        if (!operation.merged || k == 0) ++outgoing.messages;
      }
    }
  }
  return outgoing;
}

TEST(OverNodes, has_no_more_leaders_than_the_smallest_node_has_ranks) {
  const RanksByNode nodes(std::vector<int>{0, 0, 0, 1, 1});
  EXPECT_EQ(leaders_among(1, nodes), 1);
  EXPECT_EQ(leaders_among(2, nodes), 2);
  EXPECT_EQ(leaders_among(64, nodes), 2);
}

// 8 nodes of 8 ranks. Alone, each rank sends a message to each of the 56 others elsewhere.
TEST(OverNodes, sends_one_message_of_each_leader_to_each_node_in_an_alltoall) {
  const RanksByNode nodes = in_blocks(8, 8);
  const int blocks = 8 * 56;
  EXPECT_EQ(leaving_node("spread", Collective::alltoall, nodes, 64, 0), (Outgoing{blocks, blocks}));
  EXPECT_EQ(leaving_node("spread", Collective::alltoall, nodes, 64, 1), (Outgoing{7, blocks}));
  EXPECT_EQ(leaving_node("spread", Collective::alltoall, nodes, 64, 8), (Outgoing{56, blocks}));
}

// Of a message of one block for each leader, whatever the ranks of a node are.
TEST(OverNodes, puts_no_more_on_the_wire_than_one_rank_on_each_node) {
  const RanksByNode nodes = in_blocks(4, 3);
  for (const int leaders : {1, 3}) {
    EXPECT_EQ(leaving_node("recursive_doubling", Collective::allreduce, nodes, 12, leaders).blocks, 2 * leaders);
    EXPECT_EQ(leaving_node("rabenseifner", Collective::allreduce, nodes, 12, leaders).blocks, 6 * leaders)
        << "3 / 4 of the message, twice";
    EXPECT_EQ(leaving_node("chain", Collective::bcast, nodes, 12, leaders).blocks, leaders);
    EXPECT_EQ(leaving_node("ring", Collective::allgather, nodes, 12, leaders).blocks, 9) << "all but the next one's";
  }
}

// An arrangement is of ranks; those that stand for nodes are not among them.
TEST(OverNodes, does_not_arrange_nodes_like_ranks) {
  const RanksByNode nodes = in_blocks(3, 2);
  const Shape shape{.size = 6, .by_node = &nodes};
  const Arrangement turned({5, 4, 3, 2, 1, 0});
  for (Rank rank = 0; rank < 6; ++rank) {
    const Schedule plain = built(Collective::allreduce, "tree", shape, rank, {.leaders = 1});
    const Schedule arranged = built(Collective::allreduce, "tree", shape, rank, {.leaders = 1, .arrangement = &turned});
    ASSERT_EQ(arranged.operations.size(), plain.operations.size());
    for (std::size_t k = 0; k < plain.operations.size(); ++k) {
      if (!plain.operations[k].communicates()) continue;
      EXPECT_EQ(arranged.operations[k].peer(), plain.operations[k].peer());
    }
  }
}

TEST(OverNodes, is_not_for_what_it_would_do_wrong) {
  const RanksByNode levels = in_blocks(2, 2), flat = in_blocks(3, 1);
  const Problem sum{.collective = Collective::allreduce, .count = 8};
  EXPECT_EQ(unfit_for_leaders(sum, {.size = 4, .by_node = &levels}), nullptr);
  EXPECT_NE(unfit_for_leaders(sum, {.size = 4}), nullptr) << "nodes are not known";
  EXPECT_NE(unfit_for_leaders(sum, {.size = 3, .by_node = &flat}), nullptr);
  Problem ordered = sum;
  ordered.arithmetic = Arithmetic::rank_order;
  EXPECT_NE(unfit_for_leaders(ordered, {.size = 4, .by_node = &levels}), nullptr);
  EXPECT_NE(unfit_for_leaders({.collective = Collective::scan}, {.size = 4, .by_node = &levels}), nullptr);
  EXPECT_NE(unfit_for_leaders({.collective = Collective::alltoall, .is_uneven = true}, {.size = 4, .by_node = &levels}),
            nullptr);
}

}  // namespace
}  // namespace espalier
