// SPDX-License-Identifier: Apache-2.0
#include "halo/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "halo/patterns.hpp"
#include "paper_heights.hpp"

namespace espalier::halo {
namespace {

constexpr std::size_t piece = 64 << 10;

Engines nics(std::vector<double> rates) { return {.count = static_cast<int>(rates.size()), .rates = std::move(rates)}; }

// A ring of nodes, each of which sends the next one such puts.
Exchange ring(int nodes, const std::vector<std::size_t>& bytes) {
  Exchange exchange{.nodes = nodes, .puts = {}, .directions = {}};
  for (int node = 0; node < nodes; ++node) {
    for (const std::size_t one : bytes) {
      exchange.puts.push_back({.from = node, .to = (node + 1) % nodes, .bytes = one, .direction = 0, .links = {}});
    }
  }
  return exchange;
}

TEST(Lanes, halos_of_the_paper_leave_no_nic_behind) {
  for (const int height : scale_les3_heights) {
    const Exchange exchange = scale_les3(height, Neighbours::all);
    const Engines four = nics({1, 1, 1, 1});
    const Lanes lanes = even_lanes(exchange, four, piece);
    EXPECT_DOUBLE_EQ(fullest_nic(lanes, exchange, four), even_share(exchange, four)) << height;
  }
}

TEST(Lanes, unequal_nics_get_their_share) {
  const Engines two = nics({2, 1});
  const Exchange exchange = ring(3, {1000, 1000, 1000});
  const Lanes lanes = even_lanes(exchange, two, piece);
  EXPECT_DOUBLE_EQ(fullest_nic(lanes, exchange, two), even_share(exchange, two));
}

TEST(Lanes, what_no_order_makes_even_is_sent_over_all) {
  const Engines four = nics({1, 1, 1, 1});
  const Exchange exchange = ring(2, {1 << 20});
  const Lanes lanes = even_lanes(exchange, four, piece);
  EXPECT_EQ(lanes.of_puts, std::vector<int>(2, Lanes::all));
  const Exchange short_puts = ring(2, {1 << 10});  // of one piece
  EXPECT_NE(even_lanes(short_puts, four, piece).of_puts.front(), Lanes::all);
}

// Both of the first put's ends are busy on the same NIC, and its sender is with another put's.
TEST(Lanes, receivers_count_as_senders_do) {
  Exchange exchange{.nodes = 3, .puts = {}, .directions = {}};
  for (const int from : {0, 1})
    exchange.puts.push_back({.from = from, .to = 2, .bytes = 1000, .direction = 0, .links = {}});
  const Lanes lanes = even_lanes(exchange, nics({1, 1}), piece);
  EXPECT_NE(lanes.of_puts[0], lanes.of_puts[1]);
}

// The fullest node could leave it at a put for each NIC; the other one is then through no sooner.
TEST(Lanes, all_nodes_that_have_much_to_do_share_it_evenly) {
  Exchange exchange{.nodes = 4, .puts = {}, .directions = {}};
  for (int put = 0; put < 4; ++put) exchange.puts.push_back({.from = 0, .to = 1, .bytes = 200'000, .links = {}});
  for (int put = 0; put < 3; ++put) exchange.puts.push_back({.from = 2, .to = 3, .bytes = 200'000, .links = {}});
  const Lanes lanes = even_lanes(exchange, nics({1, 1, 1, 1}), piece);
  EXPECT_EQ(lanes.of_puts, std::vector<int>(7, Lanes::all));
}

// On each NIC each host receives from one host at a time, if all begin together.
TEST(Lanes, neighbours_in_one_direction_go_together) {
  const Exchange exchange = ring(4, {1000, 1000});
  const Lanes lanes = even_lanes(exchange, nics({1, 1}), piece);
  for (std::size_t k = 0; k < exchange.puts.size(); k += 2) {
    EXPECT_EQ(lanes.of_puts[k], lanes.of_puts[0]);
    EXPECT_EQ(lanes.of_puts[k + 1], lanes.of_puts[1]);
  }
  EXPECT_NE(lanes.of_puts[0], lanes.of_puts[1]);
}

}  // namespace
}  // namespace espalier::halo
