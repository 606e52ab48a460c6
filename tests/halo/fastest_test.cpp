// SPDX-License-Identifier: Apache-2.0
#include "halo/fastest.hpp"

#include <gtest/gtest.h>

#include <random>

#include "halo/packers.hpp"
#include "halo/patterns.hpp"
#include "packing_faults.hpp"
#include "paper_heights.hpp"

namespace espalier::halo {
namespace {

// Neither the paper's packers nor what they share decides, but the time.
TEST(FastestPacking, takes_no_longer_than_any_packer) {
  const Engines engines = engines_of_k_computer();
  const RateLimits limits = limits_of_k_computer();
  for (const int height : scale_les3_heights) {
    for (const Neighbours neighbours : {Neighbours::north_south, Neighbours::diagonals, Neighbours::all}) {
      const Exchange exchange = scale_les3(height, neighbours);
      const double fastest = running_time(fastest_packing(exchange, engines, limits), exchange, engines, limits);
      for (const Packer& packer : all_packers()) {
        EXPECT_LE(fastest, running_time(packer(exchange, engines), exchange, engines, limits) * (1 + 1e-9))
            << packer.name() << ", height " << height;
      }
    }
  }
}

TEST(FastestPacking, shares_a_link_where_that_is_faster) {
  const Exchange exchange = scale_les3(872, Neighbours::north_south);
  const Engines engines = engines_of_k_computer();
  const Packing packing = fastest_packing(exchange, engines, limits_of_k_computer());
  EXPECT_NE(fault_of(packing, exchange, engines, rules_of_bottom_left(4)), "");
  EXPECT_EQ(fault_of(packing, exchange, engines, {.one_of_a_direction = false}), "");
}

TEST(FastestPacking, uses_fewer_engines_for_short_puts) {
  Exchange exchange{.nodes = 1, .links = 0, .puts = {}, .directions = {}};
  for (int k = 0; k < 4; ++k) exchange.puts.push_back({.bytes = 1, .direction = k, .links = {}});
  const Engines engines{.count = 4, .rates = {}, .stagger = 100};
  const Packing packing = fastest_packing(exchange, engines, {});
  for (const PlacedPut& placement : packing.placements) EXPECT_EQ(placement.source_engine, 0);
}

TEST(FastestPacking, has_all_that_was_to_be_packed_whatever_it_is) {
  std::mt19937 random(5);
  const auto up_to = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  for (int turn = 0; turn < 40; ++turn) {
    Exchange exchange{.nodes = 1 + turn % 3, .links = 3, .puts = {}, .directions = {}};
    for (int k = up_to(12); k > 0; --k) {
      exchange.puts.push_back({.from = up_to(exchange.nodes),
                               .to = up_to(exchange.nodes),
                               .bytes = static_cast<std::size_t>(up_to(50)),
                               .direction = up_to(4),
                               .links = {up_to(3)}});
    }
    const Engines engines{.count = 2, .rates = {2, 1}, .stagger = 1};
    const Packing packing = fastest_packing(exchange, engines, {.link = 1.5, .node = 2.5});
    const Rules any{.one_of_a_direction = false, .one_into_a_receiver = false};
    EXPECT_EQ(fault_of(packing, exchange, engines, any), "") << turn;
  }
}

}  // namespace
}  // namespace espalier::halo
