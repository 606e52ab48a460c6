// SPDX-License-Identifier: Apache-2.0
#include "arrival/order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "arrival/simulation.hpp"
#include "arrival/trees.hpp"

namespace espalier::arrival {

namespace {

constexpr Transfer transfer{.seconds = 1, .busy_seconds = 1};

// One rank is late; `noise`: the share of its delay by which all ranks come now earlier, now later.
Pattern one_late(Rank late, double delay, double noise = 0) {
  return [=, random = std::mt19937(1)](int /*broadcast*/, std::vector<double>& arrivals) mutable {
    for (double& arrival : arrivals) arrival = noise * delay * static_cast<double>(random() % 1000) / 1000;
    arrivals[static_cast<std::size_t>(late)] += delay;
  };
}

}  // namespace

TEST(Order, finds_a_late_rank_within_five_broadcasts) {
  for (const Rank size : {16, 32, 128}) {
    const PlaceTree tree = knomial(size);
    for (const double delay : {3.0, 30.0, 300.0}) {
      const Scene scene{tree, transfer, one_late(size / 2, delay, .1), 50};
      const Played found = play_order(scene);
      ASSERT_EQ(found.moves.size(), 1) << size << " ranks, delay " << delay;
      EXPECT_LE(found.moves[0], 4);
      Arrangement exchanged(size);
      exchanged.exchange_places(size / 2, size - 1);
      const Played best = play_fixed({tree, transfer, one_late(size / 2, delay, .1), 50}, exchanged);
      EXPECT_LT(found.overall.back(), 1.05 * best.overall.back());
      EXPECT_LT(found.mean.back(), 1.15 * best.mean.back());
    }
  }
}

TEST(Order, follows_when_another_rank_is_late) {
  const PlaceTree tree = knomial(32);
  const Pattern first = one_late(16, 20), second = one_late(8, 20);
  const Played found = play_order({tree, transfer, [&](int broadcast, std::vector<double>& arrivals) {
                                     (broadcast < 50 ? first : second)(broadcast, arrivals);
                                   }});
  ASSERT_EQ(found.moves.size(), 2);
  EXPECT_LE(found.moves[1], 55);
}

TEST(Order, one_late_arrival_is_nothing) {
  const PlaceTree tree = knomial(32);
  const Played found = play_order({tree, transfer, [](int broadcast, std::vector<double>& arrivals) {
                                     arrivals.assign(32, 0);
                                     if (broadcast == 20) arrivals[16] = 100;
                                   }});
  EXPECT_TRUE(found.moves.empty());
}

TEST(Order, noise_rearranges_nothing) {
  const PlaceTree tree = knomial(16);
  for (const double noise : {.1, 1.0, 10.0}) {
    const Played found = play_order({tree, transfer, one_late(0, 1, noise), 5000});
    EXPECT_TRUE(found.moves.empty()) << noise;
  }
}

TEST(Order, a_late_root_is_nobodys_fault) {
  const PlaceTree tree = knomial(16);
  EXPECT_TRUE(play_order({tree, transfer, one_late(0, 50)}).moves.empty());
}

}  // namespace espalier::arrival
