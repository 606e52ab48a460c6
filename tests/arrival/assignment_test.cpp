// SPDX-License-Identifier: Apache-2.0
#include "arrival/assignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "arrival/trees.hpp"

namespace espalier::arrival {

namespace {

struct Case {
  PlaceTree tree;
  Transfer transfer;
  std::vector<double> arrivals;
};

// Small ones, of all kinds of trees and sending.
std::vector<Case> cases(int each) {
  std::mt19937 random(7);
  std::vector<Case> all;
  for (const Rank size : {2, 5, 7}) {
    for (const PlaceTree& tree : {knomial(size), complete(size, 2), complete(size, 1), knomial(size, 0, 3)}) {
      for (const Sending sending : {Sending::blocking, Sending::nonblocking, Sending::eager}) {
        for (int i = 0; i < each; ++i) {
          std::vector<double> arrivals(static_cast<std::size_t>(size));
          for (double& arrival : arrivals) arrival = static_cast<double>(random() % 1000) / 100;
          all.push_back({tree, {.seconds = 1, .busy_seconds = .5, .sending = sending}, arrivals});
        }
      }
    }
  }
  return all;
}

double least_overall(const Case& each) {
  std::vector<Rank> ranks = Arrangement(each.tree.size()).ranks();
  double least = play(each.tree, Arrangement(ranks), each.arrivals, each.transfer).overall;
  while (std::next_permutation(ranks.begin() + 1, ranks.end()))
    least = std::min(least, play(each.tree, Arrangement(ranks), each.arrivals, each.transfer).overall);
  return least;
}

}  // namespace

TEST(Assignment, none_is_faster) {
  for (const Case& each : cases(3)) {
    const Arrangement found = earliest_to_longest_tails(each.tree, find_tails(each.tree, each.transfer), each.arrivals);
    EXPECT_EQ(found.rank_at(0), 0);
    EXPECT_NEAR(play(each.tree, found, each.arrivals, each.transfer).overall, least_overall(each), 1e-9);
  }
}

TEST(Assignment, few_exchanges_are_as_fast) {
  for (const Case& each : cases(20)) {
    const Tails tails = find_tails(each.tree, each.transfer);
    const Arrangement best = earliest_to_longest_tails(each.tree, tails, each.arrivals);
    const Arrangement few = few_exchanges(each.tree, tails, each.arrivals, Arrangement(each.tree.size()));
    EXPECT_NEAR(play(each.tree, few, each.arrivals, each.transfer).overall,
                play(each.tree, best, each.arrivals, each.transfer).overall, 1e-9);
  }
}

TEST(Assignment, one_late_rank_is_one_exchange) {
  const PlaceTree tree = knomial(128);
  const Tails tails = find_tails(tree, {.seconds = 1, .busy_seconds = 1});
  std::vector<double> arrivals(128);
  arrivals[64] = 50;
  const Arrangement found = few_exchanges(tree, tails, arrivals, Arrangement(128));
  int moved = 0;
  for (Rank rank = 0; rank < 128; ++rank) moved += found.place_of(rank) != rank ? 1 : 0;
  EXPECT_EQ(moved, 2);
  EXPECT_EQ(tree.sends(found.place_of(64)), 0);
}

// Sums wait for it no longer than its route to the root, and nobody else does in between.
TEST(Assignment, who_is_late_for_a_sum_stands_next_to_the_root) {
  constexpr Transfer transfer{.seconds = 1, .busy_seconds = 1};
  for (const Flow flow : {Flow::up, Flow::up_and_down}) {
    const PlaceTree tree = knomial(16, 0, 2, flow);
    const Tails tails = find_tails(tree, transfer);
    for (Rank late = 1; late < 16; ++late) {
      std::vector<double> arrivals(16);
      arrivals[static_cast<std::size_t>(late)] = 50;
      for (const Arrangement& found :
           {few_exchanges(tree, tails, arrivals, Arrangement(16)), earliest_to_longest_tails(tree, tails, arrivals)}) {
        EXPECT_EQ(found.place_of(late), 1) << late;
        EXPECT_DOUBLE_EQ(play(tree, found, arrivals, transfer).overall, flow == Flow::up ? 51 : 55);
      }
    }
  }
}

TEST(Assignment, thousands_of_ranks_are_not_compared_with_each_other) {
  constexpr Rank size = 20000;
  const PlaceTree tree = knomial(size);
  const Tails tails = find_tails(tree, {.seconds = 1, .busy_seconds = 1});
  std::vector<double> arrivals(size);
  for (Rank rank = 1; rank < size; rank += 2) arrivals[static_cast<std::size_t>(rank)] = 50 + rank;
  EXPECT_EQ(few_exchanges(tree, tails, arrivals, Arrangement(size)), earliest_to_longest_tails(tree, tails, arrivals));
}

TEST(Assignment, where_nobody_is_late_nobody_moves) {
  for (const Flow flow : {Flow::down, Flow::up, Flow::up_and_down}) {
    const PlaceTree tree = knomial(32, 0, 2, flow);
    const Tails tails = find_tails(tree, {.seconds = 1, .busy_seconds = 1});
    EXPECT_TRUE(few_exchanges(tree, tails, std::vector<double>(32), Arrangement(32)).is_baseline());
  }
}

TEST(Assignment, groups_stay_together) {
  const PlaceTree tree(
      9, 0, [](Rank place) { return knomial_tree(place, 9, 0, 2).children_farthest_first(); },
      [](Rank place) { return place / 3; });
  const Tails tails = find_tails(tree, {.seconds = 1, .busy_seconds = 1});
  const std::vector<double> arrivals{0, 9, 1, 8, 2, 7, 3, 6, 5};
  for (const Arrangement& found :
       {earliest_to_longest_tails(tree, tails, arrivals), few_exchanges(tree, tails, arrivals, Arrangement(9))}) {
    for (Rank rank = 0; rank < 9; ++rank) EXPECT_EQ(found.place_of(rank) / 3, rank / 3);
    EXPECT_EQ(found.place_of(0), 0);
  }
}

}  // namespace espalier::arrival
