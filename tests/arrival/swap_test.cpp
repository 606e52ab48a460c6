// SPDX-License-Identifier: Apache-2.0
#include "arrival/swap.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "arrival/trees.hpp"
#include "arrival/wave/wave.hpp"

namespace espalier::arrival {

namespace {

constexpr Transfer blocking{.seconds = 1, .busy_seconds = 1, .sending = Sending::blocking};

struct Step {
  double sum_of_waits;
  std::optional<RankSwap> made;
  friend bool operator==(const Step&, const Step&) = default;
};

// Learns from each broadcast until nothing is to be done.
std::vector<Step> all_steps(const PlaceTree& tree, std::span<const double> arrivals) {
  Swap swap(tree);
  std::vector<Step> steps;
  do {
    const Wave wave = play(tree, swap.arrangement(), arrivals, blocking);
    steps.push_back({std::accumulate(wave.waited.begin(), wave.waited.end(), 0.0), swap.learn(wave.waited)});
  } while (steps.back().made && steps.size() < 100);
  return steps;
}

}  // namespace

// Paper 4, figure 6: the load rises over eight ranks; after four exchanges, two of which were undone, nobody waits.
TEST(Swap, repeats_the_papers_example) {
  const std::vector<double> rising{0, 2, 4, 6, 8, 10, 12, 14};
  const std::vector<Step> expected{
      {20, RankSwap{1, 4}},       {3, RankSwap{5, 1}}, {28, RankSwap{5, 1, true}}, {3, RankSwap{5, 2}},
      {17, RankSwap{5, 2, true}}, {3, RankSwap{5, 6}}, {0, std::nullopt},
  };
  EXPECT_EQ(all_steps(knomial(8), rising), expected);
}

TEST(Swap, of_those_that_do_not_wait_the_one_that_sends_most_makes_room) {
  const PlaceTree tree = knomial(8);
  EXPECT_EQ(Swap(tree).learn(std::vector<double>{0, 5, 0, 0, 0, 0, 0, 0}), (RankSwap{1, 4}));
  // 6 and 2 send as much; 2 is nearer to the root.
  EXPECT_EQ(Swap(tree).learn(std::vector<double>{0, 5, 0, 0, 1, 0, 0, 0}), (RankSwap{1, 2}));
  // 3, 5 and 7 send nothing; 3 and 5 are nearer, 3 is lower.
  EXPECT_EQ(Swap(tree).learn(std::vector<double>{0, 5, 1, 0, 1, 0, 1, 0}), (RankSwap{1, 3}));
}

TEST(Swap, of_those_that_wait_longest_the_lowest_moves) {
  const PlaceTree tree = knomial(4);
  EXPECT_EQ(Swap(tree).learn(std::vector<double>{0, 5, 0, 5}), (RankSwap{1, 2}));
}

TEST(Swap, the_root_stays_and_who_alone_waits_too) {
  EXPECT_EQ(Swap(knomial(4)).learn(std::vector<double>{0, 1, 1, 1}), std::nullopt);
  EXPECT_EQ(Swap(knomial(4)).learn(std::vector<double>{0, 0, 0, 0}), std::nullopt);
}

TEST(Swap, begins_again_when_all_were_tried) {
  const PlaceTree tree = knomial(4);
  Swap swap(tree);
  EXPECT_EQ(swap.learn(std::vector<double>{0, 5, 0, 1}), (RankSwap{1, 2}));
  EXPECT_EQ(swap.learn(std::vector<double>{0, 9, 0, 1}), (RankSwap{1, 2, true}));
  EXPECT_EQ(swap.learn(std::vector<double>{0, 5, 0, 1}), std::nullopt);
  EXPECT_EQ(swap.learn(std::vector<double>{0, 1, 0, 5}), (RankSwap{3, 2}));  // the late one is another one now
}

TEST(Swap, short_waits_can_be_none) {
  const PlaceTree tree = knomial(8);
  const std::vector<double> waited{0, 50, 2, 50, 1, 2, 3, 4};
  EXPECT_EQ(Swap(tree).learn(waited), std::nullopt);
  EXPECT_EQ(Swap(tree, {.share = .1}).learn(waited), (RankSwap{1, 4}));
  EXPECT_EQ(Swap(tree, {.seconds = 2}).learn(waited), (RankSwap{1, 4}));
}

TEST(Swap, keeps_to_the_groups) {
  const PlaceTree tree(
      4, 0, [](Rank place) { return knomial_tree(place, 4, 0, 2).children_farthest_first(); },
      [](Rank place) { return place % 2; });
  EXPECT_EQ(Swap(tree).learn(std::vector<double>{0, 5, 0, 0}), (RankSwap{1, 3}));
}

// Sections 4.4 and 5.1.
TEST(Interval, doubles_where_little_changes_and_halves_where_much_does) {
  Interval interval(1);
  EXPECT_EQ(interval.next(100), 1);
  EXPECT_EQ(interval.next(125), 2);
  EXPECT_EQ(interval.next(120), 4);
  EXPECT_EQ(interval.next(60), 2);
  EXPECT_EQ(interval.next(0), 1);
  EXPECT_EQ(interval.next(0), 2);
}

// As in benchmark (c).
TEST(Interval, may_only_grow) {
  Interval interval(16, false);
  EXPECT_EQ(interval.next(100), 16);
  EXPECT_EQ(interval.next(10), 16);
  EXPECT_EQ(interval.next(10), 32);
}

}  // namespace espalier::arrival
