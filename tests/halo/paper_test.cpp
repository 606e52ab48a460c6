// SPDX-License-Identifier: Apache-2.0
// The figures of paper 3.
#include <gtest/gtest.h>

#include <functional>

#include "halo/optimum.hpp"
#include "halo/packers.hpp"
#include "halo/patterns.hpp"
#include "halo/running_time.hpp"
#include "packing_faults.hpp"
#include "paper_heights.hpp"

namespace espalier::halo {
namespace {

const Engines plain;

TEST(HaloPaper, has_its_sizes) {
  struct Size {
    int height;
    std::size_t east_west, north_south, diagonal;
  };
  constexpr Size table[] = {{60, 16384, 8192, 1024},     {70, 18944, 9472, 1184},     {80, 21504, 10752, 1344},
                            {109, 28928, 14464, 1808},   {218, 56832, 28416, 3552},   {327, 84736, 42368, 5296},
                            {436, 112640, 56320, 7040},  {545, 140544, 70272, 8784},  {654, 168448, 84224, 10528},
                            {763, 196352, 98176, 12272}, {872, 224256, 112128, 14016}};
  ASSERT_EQ(std::size(table), scale_les3_heights.size());
  for (std::size_t k = 0; k < std::size(table); ++k) {
    const Size& size = table[k];
    ASSERT_EQ(scale_les3_heights[k], size.height);
    const Exchange all = scale_les3(size.height, Neighbours::all);
    ASSERT_EQ(all.puts.size(), 14);
    for (const Put& put : all.puts) {
      const std::string& name = all.directions[static_cast<std::size_t>(put.direction)];
      const bool is_east_west = name == "east" || name == "west";
      EXPECT_EQ(put.bytes, put.is_diagonal ? size.diagonal : is_east_west ? size.east_west : size.north_south) << name;
    }
  }
}

TEST(HaloPaper, packs_every_exchange_by_its_rules) {
  for (const int height : scale_les3_heights) {
    for (const Neighbours neighbours :
         {Neighbours::east_west, Neighbours::north_south, Neighbours::sides, Neighbours::diagonals, Neighbours::all}) {
      const Exchange exchange = scale_les3(height, neighbours);
      for (const int k : {1, 2, 4}) {
        EXPECT_EQ(fault_of(bottom_left(exchange, plain, k), exchange, plain, rules_of_bottom_left(k)), "");
        const Rules none{.one_of_a_direction = false, .one_into_a_receiver = false};
        EXPECT_EQ(fault_of(round_robin(exchange, plain, k), exchange, plain, none), "");
      }
    }
  }
}

double length_of(const Exchange& exchange, int k) { return bottom_left(exchange, plain, k).length(); }

// What its figures show, in bytes: of 3, 5, 7, 9 and 11.
TEST(HaloPaper, packs_as_in_its_figures) {
  constexpr double east = 224256, north = 112128, diagonal = 14016;
  const auto exchange = [](Neighbours neighbours) { return scale_les3(872, neighbours); };
  for (const int k : {1, 2, 4}) {
    EXPECT_EQ(length_of(exchange(Neighbours::east_west), k), east);
    EXPECT_EQ(length_of(exchange(Neighbours::north_south), k), 2 * north);
    EXPECT_EQ(length_of(exchange(Neighbours::sides), k), east);
    EXPECT_EQ(length_of(exchange(Neighbours::diagonals), k), 8 * diagonal / k);
    EXPECT_EQ(length_of(exchange(Neighbours::all), k), east + 8 * diagonal / k);
  }
  const auto in_turn = [&](Neighbours neighbours, int k) {
    return round_robin(exchange(neighbours), plain, k).length();
  };
  EXPECT_EQ(in_turn(Neighbours::east_west, 1), 2 * east);
  EXPECT_EQ(in_turn(Neighbours::east_west, 2), east);
  EXPECT_EQ(in_turn(Neighbours::north_south, 1), 4 * north);
  EXPECT_EQ(in_turn(Neighbours::north_south, 2), 2 * north);
  EXPECT_EQ(in_turn(Neighbours::north_south, 4), north);
  EXPECT_EQ(in_turn(Neighbours::sides, 4), east + north);
}

using Packer = std::function<Packing(const Exchange&, const Engines&)>;

Packer in_turn(int k) {
  return [k](const Exchange& exchange, const Engines& engines) { return round_robin(exchange, engines, k); };
}
Packer by_rules(int k) {
  return [k](const Exchange& exchange, const Engines& engines) { return bottom_left(exchange, engines, k); };
}

double microseconds(Neighbours neighbours, const Packer& packer, int height = 872) {
  const Exchange exchange = scale_les3(height, neighbours);
  const Engines engines = engines_of_k_computer();
  return 1e6 * running_time(packer(exchange, engines), exchange, engines, limits_of_k_computer());
}

void expect_within_a_tenth(double found, double golden) { EXPECT_NEAR(found, golden, 0.1 * golden); }

TEST(HaloPaper, takes_its_times_in_the_model) {
  expect_within_a_tenth(microseconds(Neighbours::east_west, by_rules(4)), 72);
  expect_within_a_tenth(microseconds(Neighbours::north_south, in_turn(4)), 64);
  expect_within_a_tenth(microseconds(Neighbours::north_south, by_rules(4)), 74);
  expect_within_a_tenth(microseconds(Neighbours::north_south, in_turn(2)), 108);
  expect_within_a_tenth(microseconds(Neighbours::sides, by_rules(4)), 86);
}

TEST(HaloPaper, has_its_winners_in_the_model_at_every_size) {
  for (const int height : scale_les3_heights) {
    SCOPED_TRACE(height);
    const auto time = [&](Neighbours neighbours, const Packer& packer) {
      return microseconds(neighbours, packer, height);
    };
    EXPECT_GT(time(Neighbours::east_west, in_turn(1)), time(Neighbours::east_west, by_rules(4)));
    EXPECT_LT(time(Neighbours::north_south, by_rules(4)), time(Neighbours::north_south, in_turn(2)));
    EXPECT_LT(time(Neighbours::sides, by_rules(4)), time(Neighbours::sides, in_turn(4)));
    EXPECT_LT(time(Neighbours::sides, by_rules(4)), time(Neighbours::sides, in_turn(2)));
    EXPECT_LT(time(Neighbours::all, by_rules(4)), time(Neighbours::all, in_turn(4)));
    EXPECT_LT(time(Neighbours::all, by_rules(4)), time(Neighbours::all, in_turn(2)));
  }
  // At large sizes: at small ones the engines' late beginnings count for more.
  EXPECT_LT(microseconds(Neighbours::north_south, in_turn(4)), microseconds(Neighbours::north_south, by_rules(4)));
  const double four = microseconds(Neighbours::diagonals, by_rules(4));
  const double two = microseconds(Neighbours::diagonals, by_rules(2));
  EXPECT_LT(four, two);
  EXPECT_LT(two, microseconds(Neighbours::diagonals, in_turn(4)));
  EXPECT_LE(microseconds(Neighbours::diagonals, in_turn(4)), microseconds(Neighbours::diagonals, in_turn(2)));
}

// How far each of its packings is from the shortest one by the same rules: diagonals that are last keep engines idle
// where only few of them may be under way.
TEST(HaloPaper, is_near_the_optimum) {
  struct Gap {
    Neighbours neighbours;
    int k;
    double most;  // over the shortest
  };
  for (const Gap& gap : std::vector<Gap>{{Neighbours::east_west, 4, 1},
                                         {Neighbours::north_south, 4, 1},
                                         {Neighbours::sides, 4, 1},
                                         {Neighbours::diagonals, 1, 1},
                                         {Neighbours::diagonals, 2, 1},
                                         {Neighbours::diagonals, 4, 1},
                                         {Neighbours::all, 4, 1},
                                         {Neighbours::all, 2, 1.12},
                                         {Neighbours::all, 1, 1.34}}) {
    const Exchange exchange = scale_les3(872, gap.neighbours);
    const Shortest best = shortest_packing(exchange, plain, gap.k, 20'000);
    EXPECT_EQ(fault_of(best.packing, exchange, plain, rules_of_bottom_left(gap.k)), "");
    EXPECT_TRUE(best.is_proven || (gap.neighbours == Neighbours::all && gap.k == 1));
    EXPECT_GE(length_of(exchange, gap.k), best.packing.length());
    EXPECT_LE(length_of(exchange, gap.k), gap.most * best.packing.length());
  }
}

}  // namespace
}  // namespace espalier::halo
