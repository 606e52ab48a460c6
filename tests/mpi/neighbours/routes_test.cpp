// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "mpi/neighbours/meeting.hpp"

namespace espalier {
namespace {

constexpr MPI_Count many = 1 << 20;

UserBlocks blocks_of(const std::vector<MPI_Count>& counts) {
  UserBlocks made;
  for (const MPI_Count count : counts) made.blocks.push_back({.count = count, .type = MPI_BYTE, .facts = {.size = 1}});
  return made;
}

bool use_nics(const HaloRoutes& routes) {
  const auto is_of_nics = [](Path path) { return path != over_mpi; };
  return std::ranges::any_of(routes.to, is_of_nics) || std::ranges::any_of(routes.from, is_of_nics);
}

// Of a rank with neighbours on other hosts, and the last one on its own.
class RoutesTest : public testing::Test {
 protected:
  RoutesTest() {
    meeting.packer = "even";
    meeting.nics.count = 2;
    meeting.least_bytes = 4096;
    meeting.neighbourhood = {.kind = MPI_CART, .to = {1, 2, 3, 4}, .from = {1, 2, 3, 4}};
    meeting.turns_to = {0, 0, 0, 0};
    meeting.is_far_to = meeting.is_far_from = {1, 1, 1, 0};
    meeting.is_diagonal_to = {0, 0, 0, 0};
    meeting.hosts_to = {1, 2, 3, 0};
    for (NeighbourMeeting::OfForm& form : meeting.forms) form = {.is_ours = true, .turns_from = {0, 0, 0, 0}};
  }
  [[nodiscard]] HaloRoutes routes(const std::vector<MPI_Count>& sent, const std::vector<MPI_Count>& received) const {
    return routes_of_call(meeting, {.input = blocks_of(sent), .output = blocks_of(received)}, CallForm::blocking);
  }
  NeighbourMeeting meeting;
};

TEST_F(RoutesTest, long_blocks_are_distributed_among_nics) {
  const HaloRoutes found = routes({many, many, 0, 0}, {0, 0, 0, 0});
  EXPECT_TRUE(names_one_nic(found.to[0]));
  EXPECT_TRUE(names_one_nic(found.to[1]));
  EXPECT_NE(found.to[0], found.to[1]);
  EXPECT_TRUE(use_nics(found));
}

TEST_F(RoutesTest, short_blocks_go_past_the_nics_after_the_long_ones) {
  const HaloRoutes found = routes({4095, many, 4096, many}, {0, 0, 0, 0});
  EXPECT_EQ(found.to[0], over_mpi);
  EXPECT_NE(found.to[2], over_mpi);
  EXPECT_EQ(found.order, (std::vector<int>{1, 2, 0, 3}));
}

TEST_F(RoutesTest, what_stays_on_a_host_goes_past_them) {
  EXPECT_EQ(use_nics(routes({0, 0, 0, many}, {0, 0, 0, many})), false);
}

TEST_F(RoutesTest, both_ends_know_what_goes_past_them) {
  const HaloRoutes found = routes({0, 0, 0, 0}, {4095, 4096, many, many});
  EXPECT_EQ(found.from, (std::vector<Path>{over_mpi, by_all_in_turn, by_all_in_turn, over_mpi}));
  EXPECT_TRUE(use_nics(found));
}

// As if the others sent as much: so each takes another NIC.
TEST_F(RoutesTest, ranks_of_one_host_share_its_nics) {
  meeting.ranks_on_host = 2;
  const Path first = routes({many, 0, 0, 0}, {0, 0, 0, 0}).to[0];
  meeting.rank_on_host = 1;
  EXPECT_NE(routes({many, 0, 0, 0}, {0, 0, 0, 0}).to[0], first);
}

TEST_F(RoutesTest, ranks_beyond_those_that_stand_for_all_share_them_too) {
  meeting.ranks_on_host = 1000;
  for (const int rank : {0, 127, 128, 999}) {
    meeting.rank_on_host = rank;
    EXPECT_EQ(routes({many, many, many, 0}, {0, 0, 0, 0}).order.size(), 4U);
  }
}

// Each node of a ring sends to both sides: the next one first.
TEST(NumberedPuts, nodes_that_do_alike_number_their_directions_alike) {
  constexpr int nodes = 5;
  NumberedPuts puts;
  for (int node = 0; node < nodes; ++node) {
    for (const int step : {1, nodes - 1, 1})
      puts.add({.from = node, .to = (node + step) % nodes, .bytes = many, .links = {}}, NumberedPuts::not_mine);
  }
  for (std::size_t k = 0; k < puts.exchange.puts.size(); ++k) EXPECT_EQ(puts.exchange.puts[k].direction, k % 3);
}

TEST_F(RoutesTest, who_has_no_neighbours_has_no_routes) {
  meeting.neighbourhood = {};
  meeting.is_far_to = meeting.is_far_from = {};
  meeting.hosts_to = {};
  EXPECT_FALSE(use_nics(routes({}, {})));
}

}  // namespace
}  // namespace espalier
