// SPDX-License-Identifier: Apache-2.0
#include "halo/packers.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "halo/optimum.hpp"
#include "packing_faults.hpp"

namespace espalier::halo {
namespace {

Put put(std::size_t bytes, int direction, bool is_diagonal = false) {
  return {.bytes = bytes, .direction = direction, .is_diagonal = is_diagonal, .links = {}};
}

Exchange of_one_node(std::vector<Put> puts) {
  return {.nodes = 1, .links = 0, .puts = std::move(puts), .directions = {}};
}

TEST(RoundRobin, deals_puts_out_in_their_order) {
  const Packing packing = round_robin(of_one_node({put(4, 0), put(2, 0), put(1, 1)}), {}, 2);
  EXPECT_EQ(packing.placements, (std::vector<PlacedPut>{{0, 0, 0, 4}, {1, 1, 0, 2}, {0, 0, 4, 5}}));
}

TEST(RoundRobin, wants_as_many_engines_as_there_are) {
  EXPECT_THROW((void)round_robin({}, {}, 0), std::invalid_argument);
  EXPECT_THROW((void)round_robin({}, {}, 5), std::invalid_argument);
}

TEST(BottomLeft, places_the_longest_first_and_fills_what_is_left_below) {
  // Two of one direction: the second waits, and what is short gets the engine meanwhile.
  const Exchange exchange = of_one_node({put(1, 1), put(8, 0), put(8, 0), put(4, 1)});
  const Packing packing = bottom_left(exchange, {.count = 2}, 4);
  EXPECT_EQ(packing.placements, (std::vector<PlacedPut>{{1, 1, 4, 5}, {0, 0, 0, 8}, {0, 0, 8, 16}, {1, 1, 0, 4}}));
}

TEST(BottomLeft, limits_diagonals_to_a_number_of_engines) {
  const Exchange exchange = of_one_node({put(3, 0, true), put(3, 1, true), put(3, 2, true), put(3, 3)});
  EXPECT_EQ(bottom_left(exchange, {}, 4).length(), 3);
  EXPECT_EQ(bottom_left(exchange, {}, 2).length(), 6);
  EXPECT_EQ(bottom_left(exchange, {}, 1).length(), 9);
  EXPECT_THROW((void)bottom_left(exchange, {}, 0), std::invalid_argument);
}

TEST(BottomLeft, uses_fewer_engines_for_short_puts_where_these_begin_late) {
  const Exchange exchange = of_one_node({put(1, 0), put(1, 1), put(1, 2), put(1, 3)});
  const Packing at_once = bottom_left(exchange, {.count = 4}, 4);
  const Packing late = bottom_left(exchange, {.count = 4, .stagger = 2}, 4);
  EXPECT_EQ(at_once.placements[3].source_engine, 3);
  EXPECT_EQ(late.placements[1], (PlacedPut{0, 0, 3, 4}));
  EXPECT_EQ(late.placements[2], (PlacedPut{0, 0, 4, 5}));
  EXPECT_EQ(late.placements[3], (PlacedPut{1, 1, 4, 5}));
}

TEST(BottomLeft, packs_long_puts_before_or_after_short_ones_as_is_shorter) {
  const Exchange exchange = of_one_node({put(16, 0), put(8, 1), put(8, 2), put(1, 3), put(1, 4), put(1, 5)});
  for (const double stagger : {0., 1., 4., 9.}) {
    const Engines engines{.count = 2, .rates = {}, .stagger = stagger};
    const Packing best = bottom_left_in_best_order(exchange, engines, 4);
    EXPECT_EQ(fault_of(best, exchange, engines, rules_of_bottom_left(4)), "");
    EXPECT_LE(best.length(), bottom_left(exchange, engines, 4, PutOrder::longest_first).length());
    EXPECT_LE(best.length(), bottom_left(exchange, engines, 4, PutOrder::shortest_first).length());
  }
}

// Between nodes, by engines that differ.
Exchange random_exchange(std::mt19937& random, int nodes) {
  const auto up_to = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  Exchange exchange{.nodes = nodes, .links = 0, .puts = {}, .directions = {}};
  for (int k = up_to(20); k >= 0; --k) {
    exchange.puts.push_back({.from = up_to(nodes),
                             .to = up_to(nodes),
                             .bytes = static_cast<std::size_t>(up_to(9)),
                             .direction = up_to(6),
                             .is_diagonal = up_to(3) == 0,
                             .links = {}});
  }
  return exchange;
}

TEST(BottomLeft, obeys_its_rules_whatever_the_exchange) {
  std::mt19937 random(7);
  for (int k = 0; k < 300; ++k) {
    const Exchange exchange = random_exchange(random, 1 + k % 4);
    const Engines engines{.count = 3, .rates = {2, 1, 4}, .stagger = k % 2 == 0 ? 0. : 0.5};
    for (const int diagonals : {1, 2, 3}) {
      const Packing packing = bottom_left_in_best_order(exchange, engines, diagonals);
      ASSERT_EQ(fault_of(packing, exchange, engines, rules_of_bottom_left(diagonals)), "") << k;
    }
  }
}

TEST(ShortestPacking, is_found_and_never_longer_than_what_a_packer_finds) {
  std::mt19937 random(3);
  const Engines engines{.count = 2};
  for (int k = 0; k < 60; ++k) {
    Exchange exchange = random_exchange(random, 1);
    if (exchange.puts.size() > 7) exchange.puts.resize(7);
    const auto best = shortest_packing(exchange, engines, 2);
    ASSERT_TRUE(best.is_proven) << k;
    EXPECT_EQ(fault_of(best.packing, exchange, engines, rules_of_bottom_left(2)), "") << k;
    EXPECT_LE(best.packing.length(), bottom_left(exchange, engines, 2).length());
    EXPECT_GE(best.packing.length(), least_length(exchange, engines, 2));
  }
}

TEST(ShortestPacking, beats_the_longest_first_where_that_is_not_best) {
  // Three engines' worth on two: 3+3 and 2+2+2.
  const Exchange exchange = of_one_node({put(3, 0), put(3, 1), put(2, 2), put(2, 3), put(2, 4)});
  EXPECT_EQ(bottom_left(exchange, {.count = 2}, 4).length(), 7);
  EXPECT_EQ(shortest_packing(exchange, {.count = 2}, 4).packing.length(), 6);
}

TEST(ShortestPacking, is_not_known_for_engines_that_differ) {
  EXPECT_THROW((void)shortest_packing({}, {.count = 2, .rates = {1, 2}}, 4), std::invalid_argument);
}

TEST(FaultOfPacking, names_what_is_wrong) {
  const Exchange exchange = of_one_node({put(4, 0), put(4, 0), put(4, 1, true), put(4, 2, true)});
  const Rules rules = rules_of_bottom_left(1);
  const auto fault = [&](std::vector<PlacedPut> placements) {
    return fault_of({std::move(placements)}, exchange, {}, rules);
  };
  EXPECT_EQ(fault({}), "not every put has a place");
  EXPECT_EQ(fault({{0, 0, 0, 4}, {1, 1, 0, 4}, {2, 2, 0, 4}, {3, 3, 0, 4}}),
            "put 0 and put 1 are at the same time on one link");
  EXPECT_EQ(fault({{0, 0, 0, 4}, {0, 0, 4, 8}, {2, 2, 0, 4}, {3, 3, 0, 4}}), "put 2 is one diagonal too many");
  EXPECT_EQ(fault({{0, 0, 0, 4}, {0, 0, 4, 8}, {0, 2, 0, 4}, {3, 3, 4, 8}}),
            "put 0 and put 2 are at the same time on one sending engine");
  EXPECT_EQ(fault({{0, 0, 0, 4}, {0, 0, 4, 8}, {1, 0, 0, 4}, {3, 3, 4, 8}}),
            "put 0 and put 2 are at the same time on one receiving engine");
  EXPECT_EQ(fault({{0, 0, 0, 3}, {0, 0, 4, 8}, {1, 1, 0, 4}, {3, 3, 4, 8}}), "put 0 takes less time than it must");
  EXPECT_EQ(fault({{0, 0, 0, 4}, {9, 0, 4, 8}, {1, 1, 0, 4}, {3, 3, 4, 8}}), "put 1 has no such engine");
}

}  // namespace
}  // namespace espalier::halo
