// SPDX-License-Identifier: Apache-2.0
#include "halo/lane_packers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "halo/packers.hpp"
#include "halo/patterns.hpp"
#include "halo/running_time.hpp"
#include "settings/settings.hpp"
#include "settings/table.hpp"

namespace espalier::halo {
namespace {

constexpr std::size_t longest_piece = 64 << 10;

Engines rails(int count) {
  return {.count = count, .rates = std::vector<double>(static_cast<std::size_t>(count), 1), .are_rails = true};
}

// Each node of a periodic grid sends what `scale_les3` has, direction by direction, each put by a link of its own.
Exchange weather_on_a_grid(int rows, int columns, int height) {
  struct Direction {
    int down, right;
    std::size_t share;
    int puts;
  };
  constexpr Direction directions[] = {{-1, 1, 16, 2}, {-1, -1, 16, 2}, {1, 1, 16, 2}, {1, -1, 16, 2},
                                      {0, 1, 1, 1},   {0, -1, 1, 1},   {-1, 0, 2, 2}, {1, 0, 2, 2}};
  const std::size_t longest = scale_les3(height, Neighbours::east_west).puts.front().bytes;
  Exchange exchange{.nodes = rows * columns, .puts = {}, .directions = {}};
  for (int node = 0; node < exchange.nodes; ++node) {
    for (int place = 0; const auto& [down, right, share, puts] : directions) {
      const int to = (node / columns + down + rows) % rows * columns + (node % columns + right + columns) % columns;
      for (int k = 0; k < puts; ++k) {
        exchange.puts.push_back({.from = node, .to = to, .bytes = longest / share, .direction = place++, .links = {}});
      }
    }
  }
  return exchange;
}

Exchange drawn_exchange(std::mt19937& random) {
  Exchange exchange{.nodes = 6, .puts = {}, .directions = {}};
  const std::size_t puts = 1 + random() % 40;
  for (std::size_t k = 0; k < puts; ++k) {
    const int from = static_cast<int>(random() % 6), further = 1 + static_cast<int>(random() % 5);
    const std::size_t bytes = std::size_t{1} << (8 + random() % 12);
    exchange.puts.push_back({from, (from + further) % 6, bytes, further, false, {}});
  }
  return exchange;
}

TEST(LanePackers, place_each_put_once) {
  const Exchange exchange = scale_les3(60, Neighbours::all);
  for (const std::string& name : lane_packers()) {
    for (const int count : {1, 3, 4}) {
      const auto lanes = lanes_by(name, exchange, rails(count), longest_piece);
      ASSERT_TRUE(lanes) << name;
      std::vector<int> order = lanes->order, expected(exchange.puts.size());
      std::ranges::sort(order);
      std::iota(expected.begin(), expected.end(), 0);
      EXPECT_EQ(order, expected) << name;
      EXPECT_LT(std::ranges::max(lanes->of_puts), count) << name;
    }
  }
  EXPECT_FALSE(lanes_by("bottomleft(3)", exchange, rails(1), longest_piece));
}

TEST(LanePackers, are_all_known_to_the_setting) {
  const auto setting = std::ranges::find(settings_table, "ESPALIER_PACKER", &Setting::name);
  ASSERT_NE(setting, settings_table.end());
  Settings settings;
  for (const std::string& name : lane_packers()) EXPECT_EQ(assign(*setting, name, settings), "") << name;
  EXPECT_NE(assign(*setting, "bottomleft(3)", settings), "");
}

// The k-th NIC of a host reaches the k-th of the others: what a packer plans at the receiver is what happens there.
TEST(LanePackers, keep_both_ends_of_a_put_on_one_rail) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    const Exchange exchange = drawn_exchange(random);
    for (const Packer& packer : all_packers()) {
      for (const PlacedPut& placed : packer.pack(exchange, rails(4), packer.k).placements)
        EXPECT_EQ(placed.source_engine, placed.target_engine) << packer.name();
    }
  }
}

// Paper 3's largest exchange: none but the NICs themselves limits it.
TEST(LanePackers, take_the_least_time_where_all_nodes_number_their_directions_alike) {
  for (const auto& [rows, columns] : {std::pair{3, 3}, {4, 2}, {4, 4}}) {
    const Exchange exchange = weather_on_a_grid(rows, columns, 872);
    const Engines nics = rails(4);
    for (const char* const packer : {"bottomleft(4)", "fastest", "even"}) {
      const double time = time_of(*lanes_by(packer, exchange, nics, longest_piece), exchange, nics);
      EXPECT_LE(time, 1.07 * even_share(exchange, nics)) << packer << " on " << rows << "x" << columns;
    }
  }
}

TEST(LanePackers, the_fastest_is_no_slower_than_any_other) {
  std::mt19937 random(7);
  for (int round = 0; round < 5; ++round) {
    const Exchange exchange = drawn_exchange(random);
    const Engines nics = rails(2 + round % 3);
    const double fastest = time_of(*lanes_by("fastest", exchange, nics, longest_piece), exchange, nics);
    const double quickest = time_of(quickest_lanes(exchange, nics, longest_piece).lanes, exchange, nics);
    EXPECT_LE(fastest, 1.0001 * quickest);
    for (const std::string& packer : lane_packers()) {
      const double time = time_of(*lanes_by(packer, exchange, nics, longest_piece), exchange, nics);
      EXPECT_LE(fastest, 1.021 * time) << packer << " in round " << round;
      if (packer == "fastest") continue;
      EXPECT_LE(quickest, 1.021 * time) << packer << " in round " << round;
    }
  }
}

TEST(LanePackers, the_quickest_is_even_where_nothing_is_to_be_gained) {
  EXPECT_EQ(quickest_lanes(weather_on_a_grid(4, 4, 872), rails(4), longest_piece).packer, "even");
}

TEST(LaneTime, of_what_goes_over_all_nics_is_its_share_of_each) {
  Exchange exchange{.nodes = 2, .puts = {}, .directions = {}};
  exchange.puts.push_back({.from = 0, .to = 1, .bytes = 3000, .links = {}});
  const Engines nics{.count = 2, .rates = {2, 1}, .are_rails = true};
  EXPECT_DOUBLE_EQ(time_of(striped_lanes(exchange, nics), exchange, nics), 1000);
}

}  // namespace
}  // namespace espalier::halo
