// SPDX-License-Identifier: Apache-2.0
#include "arrival/order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>

#include "arrival/simulation.hpp"
#include "arrival/trees.hpp"

namespace espalier::arrival {

namespace {

constexpr Transfer transfer{.seconds = 1, .busy_seconds = 1};

// One rank is late; `noise`: the share of its delay by which all ranks arrive now earlier, now later.
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

// Jitter of several kinds that has no pattern which lasts.
enum class Jitter { even, exponential, with_outliers, drifting };

Pattern jitter(Jitter kind, double scale) {
  return [=, random = std::mt19937(7), last = std::vector<double>()](int /*broadcast*/,
                                                                     std::vector<double>& arrivals) mutable {
    std::uniform_real_distribution<double> even(0, 2 * scale);
    std::exponential_distribution<double> exponential(1 / scale);
    std::normal_distribution<double> normal(0, scale);
    last.resize(arrivals.size());
    for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
      switch (kind) {
        case Jitter::even: arrivals[rank] = even(random); break;
        case Jitter::exponential: arrivals[rank] = exponential(random); break;
        case Jitter::with_outliers: arrivals[rank] = even(random) * (random() % 100 == 0 ? 50 : 1); break;
        case Jitter::drifting:  // what is late is likely to be late again, for some ten broadcasts
          last[rank] = .9 * last[rank] + std::sqrt(1 - .9 * .9) * normal(random);
          arrivals[rank] = std::abs(last[rank]);
          break;
      }
    }
  };
}

TEST(Order, noise_rearranges_next_to_nothing_and_costs_nothing) {
  const int broadcasts = std::getenv("THOROUGH_TESTS") != nullptr ? 100'000 : 2'000;
  const PlaceTree tree = knomial(16);
  for (const Jitter kind : {Jitter::even, Jitter::exponential, Jitter::with_outliers, Jitter::drifting}) {
    for (const double scale : {.1, 1.0, 10.0}) {
      const Played found = play_order({tree, transfer, jitter(kind, scale), broadcasts});
      const Played still = play_fixed({tree, transfer, jitter(kind, scale), broadcasts}, Arrangement(16));
      // At first it has to learn that what drifts is not worth following.
      EXPECT_LE(found.moves.size(), static_cast<std::size_t>(std::max(8, broadcasts / 10'000)))
          << "jitter " << static_cast<int>(kind) << ", scale " << scale;
      EXPECT_LT(found.mean_overall(), 1.005 * still.mean_overall());
      EXPECT_LT(found.mean_of_means(), 1.005 * still.mean_of_means());
    }
  }
}

TEST(Order, a_late_root_is_nobodys_fault) {
  const PlaceTree tree = knomial(16);
  EXPECT_TRUE(play_order({tree, transfer, one_late(0, 50)}).moves.empty());
}

// How far the model is off is known from calls in the arrangement that there is, not in the one before.
TEST(Order, a_second_move_is_not_judged_by_what_the_first_one_gained) {
  const PlaceTree tree = knomial(32);
  Order order(tree, transfer);
  int moves = 0;
  const auto learn = [&](const std::vector<double>& arrivals) {
    const Wave wave = play(tree, order.arrangement(), arrivals, transfer);
    if (order.learn(arrivals, {}, Taken{wave.overall, wave.mean})) ++moves;
    EXPECT_FALSE(order.has_undone());
  };
  std::vector<double> arrivals(32);
  arrivals[16] = 20;
  for (int i = 0; i < 20; ++i) learn(arrivals);
  EXPECT_EQ(moves, 1);
  arrivals[4] = 20;
  for (int i = 0; i < 25; ++i) learn(arrivals);
  EXPECT_EQ(moves, 2);
}

}  // namespace espalier::arrival
