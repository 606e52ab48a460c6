// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "../support/built.hpp"
#include "../support/link_loads.hpp"
#include "algorithms/algorithm.hpp"
#include "checks.hpp"

namespace espalier::links_test {
namespace {

using namespace hand_made;
using namespace checks;

// A torus; messages go along x first, then y, then z, each the shorter direction round. Six links out of each node.
Routing torus_routing(std::array<int, 3> extent) {
  return [extent](Rank from, Rank to) {
    std::vector<DirectedLink> links;
    std::array<int, 3> at{from % extent[0], from / extent[0] % extent[1], from / (extent[0] * extent[1])};
    const std::array<int, 3> goal{to % extent[0], to / extent[0] % extent[1], to / (extent[0] * extent[1])};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int up = wrap(goal[axis] - at[axis], extent[axis]);
      const bool goes_up = 2 * up <= extent[axis];
      while (at[axis] != goal[axis]) {
        const int node = at[0] + extent[0] * (at[1] + extent[1] * at[2]);
        links.push_back(static_cast<DirectedLink>(6 * node + 2 * static_cast<int>(axis) + (goes_up ? 0 : 1)));
        at[axis] = wrap(at[axis] + (goes_up ? 1 : -1), extent[axis]);
      }
    }
    return links;
  };
}

Schedules build(Collective collective, const char* name, Rank size) {
  const Algorithm* algorithm = find_algorithm(collective, name);
  return schedules_of(size, [&](Rank me, Rank ranks) {
    return built(*algorithm, Shape{ranks}, me, {.in_place = collective == Collective::bcast});
  });
}

TEST(Links, carry_one_stream_each_where_ranks_stand_in_a_ring) {
  const LinkLoad load = count_links(schedules_of(6, ring_allreduce), ring_routing(6), 6000);
  EXPECT_EQ(load.contention(), 1u);
  ASSERT_EQ(load.links.size(), 6u);
  for (const LinkLoad::Use& use : load.links) {
    EXPECT_EQ(use.link % 2, 0u) << "all go up";
    EXPECT_EQ(use.blocks, 10u) << "2 (n - 1) blocks over each link: the least that is possible";
    EXPECT_EQ(use.elements, 10000u);
  }
}

TEST(Links, out_of_the_root_of_a_linear_broadcast_carry_every_stream) {
  const LinkLoad load = count_links(build(Collective::bcast, "linear", 9), crossbar_routing(), 10);
  EXPECT_EQ(load.contention(), 8u);
  EXPECT_EQ(load.max_elements(), 80u);
  EXPECT_EQ(count_links(build(Collective::bcast, "chain", 9), crossbar_routing(), 10).contention(), 1u);
}

TEST(Links, of_a_chain_are_its_own_on_a_torus_in_row_order) {
  // From the end of a row to the next row: one hop round in x, one in y.
  const LinkLoad load = count_links(build(Collective::bcast, "chain", 27), torus_routing({3, 3, 3}), 1);
  EXPECT_EQ(load.contention(), 1u);
  EXPECT_EQ(load.links.size(), 26u + 8u + 2u);
}

TEST(Links, of_the_shorter_direction_round_a_ring) {
  const Routing routing = ring_routing(5);
  EXPECT_EQ(routing(4, 1), (std::vector<DirectedLink>{8, 0}));
  EXPECT_EQ(routing(1, 4), (std::vector<DirectedLink>{3, 1}));
  EXPECT_TRUE(routing(2, 2).empty());
}

TEST(Links, count_each_channel_as_a_stream) {
  Script sender(2), receiver(2);
  for (int channel = 0; channel < 2; ++channel) {
    sender.send(1, blocks_of(Buffer::output, 1, {channel}), {}, static_cast<Channel>(channel));
    receiver.recv(0, blocks_of(Buffer::output, 1, {channel}), {}, static_cast<Channel>(channel));
  }
  const LinkLoad load = count_links(Schedules{sender.schedule(), receiver.schedule()}, ring_routing(2), 7);
  ASSERT_EQ(load.links.size(), 1u);
  EXPECT_EQ(load.contention(), 2u);
  EXPECT_EQ(load.max_elements(), 7u);
}

}  // namespace
}  // namespace espalier::links_test
