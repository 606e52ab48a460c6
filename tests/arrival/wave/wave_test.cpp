// SPDX-License-Identifier: Apache-2.0
#include "arrival/wave/wave.hpp"

#include <gtest/gtest.h>

#include "arrival/trees.hpp"

namespace espalier::arrival {

TEST(PlaceTree, knows_turns_and_depths) {
  const PlaceTree tree = knomial(8);
  EXPECT_EQ(tree.at(0).children, (std::vector<Rank>{4, 2, 1}));
  EXPECT_EQ(tree.at(1).turn, 2);
  EXPECT_EQ(tree.at(7).depth, 3);
  EXPECT_EQ(tree.sends(4), 2);
}

TEST(PlaceTree, must_have_each_place_once) {
  const auto two_chains = [](Rank place) { return place == 0 ? std::vector<Rank>{1} : std::vector<Rank>{}; };
  EXPECT_THROW(PlaceTree(3, 0, two_chains), std::invalid_argument);
  const auto circle = [](Rank place) { return std::vector<Rank>{(place + 1) % 3}; };
  EXPECT_THROW(PlaceTree(3, 0, circle), std::invalid_argument);
}

TEST(PlaceTree, ranks_exchange_places_within_their_group) {
  const PlaceTree tree(
      4, 0, [](Rank place) { return place < 3 ? std::vector<Rank>{place + 1} : std::vector<Rank>{}; },
      [](Rank place) { return place / 2; });
  EXPECT_TRUE(tree.may_exchange(2, 3));
  EXPECT_FALSE(tree.may_exchange(1, 2));
  EXPECT_FALSE(tree.may_exchange(0, 1));  // the root stays
}

TEST(Wave, a_binomial_tree_takes_a_logarithm) {
  const Wave wave = play(knomial(8), Arrangement(8), std::vector<double>(8), {.seconds = 2, .busy_seconds = 2});
  EXPECT_DOUBLE_EQ(wave.overall, 6);
  EXPECT_DOUBLE_EQ(wave.left[7], 6);
  EXPECT_DOUBLE_EQ(wave.waited[1], 4);
}

TEST(Wave, a_late_inner_place_delays_what_hangs_on_it) {
  std::vector<double> arrivals(8);
  arrivals[4] = 10;
  const Wave wave = play(knomial(8), Arrangement(8), arrivals, {.seconds = 1, .busy_seconds = 1});
  EXPECT_DOUBLE_EQ(wave.overall, 13);
  EXPECT_DOUBLE_EQ(wave.waited[6], 11);
  EXPECT_DOUBLE_EQ(wave.waited[2], 1);  // the root serves it meanwhile

  Arrangement arrangement(8);
  arrangement.exchange_places(4, 1);
  const Wave better = play(knomial(8), arrangement, arrivals, {.seconds = 1, .busy_seconds = 1});
  EXPECT_DOUBLE_EQ(better.overall, 11);
  EXPECT_LT(better.mean, wave.mean);
}

TEST(Wave, a_sender_that_is_blocked_serves_nobody_else) {
  std::vector<double> arrivals(8);
  arrivals[4] = 10;
  const Transfer transfer{.seconds = 1, .busy_seconds = 1, .sending = Sending::blocking};
  EXPECT_DOUBLE_EQ(play(knomial(8), Arrangement(8), arrivals, transfer).waited[1], 12);
}

TEST(Wave, what_was_sent_eagerly_lies_there) {
  const Transfer transfer{.seconds = 1, .busy_seconds = 1, .sending = Sending::eager};
  const Wave wave = play(complete(2, 1), Arrangement(2), std::vector<double>{0, 10}, transfer);
  EXPECT_DOUBLE_EQ(wave.left[1], 10);
  EXPECT_DOUBLE_EQ(wave.waited[1], 0);
}

TEST(Wave, segments_flow_one_behind_the_other) {
  const Transfer transfer{.seconds = 4, .busy_seconds = 4, .segments = 4};
  EXPECT_DOUBLE_EQ(play(complete(4, 1), Arrangement(4), std::vector<double>(4), transfer).left[3], 6);
}

TEST(Wave, sums_climb_in_a_logarithm) {
  const PlaceTree tree = knomial(8, 0, 2, Flow::up);
  const Wave wave = play(tree, Arrangement(8), std::vector<double>(8), {.seconds = 2, .busy_seconds = 2});
  EXPECT_DOUBLE_EQ(wave.overall, 6);
  EXPECT_DOUBLE_EQ(wave.left[0], 6);
  EXPECT_DOUBLE_EQ(wave.left[7], 2);
}

TEST(Wave, a_late_rank_delays_a_reduction_least_next_to_the_root) {
  const PlaceTree tree = knomial(8, 0, 2, Flow::up);
  std::vector<double> arrivals(8);
  arrivals[7] = 10;
  const Transfer transfer{.seconds = 1, .busy_seconds = 1};
  const Wave deep = play(tree, Arrangement(8), arrivals, transfer);
  EXPECT_DOUBLE_EQ(deep.overall, 13);
  Arrangement arrangement(8);
  arrangement.exchange_places(7, 1);
  const Wave better = play(tree, arrangement, arrivals, transfer);
  EXPECT_DOUBLE_EQ(better.overall, 11);
  EXPECT_LT(better.mean, deep.mean);
}

TEST(Wave, an_allreduce_goes_up_and_down) {
  const PlaceTree chain = complete(4, 1, 0, Flow::up_and_down);
  const Transfer transfer{.seconds = 8, .busy_seconds = 8, .segments = 8};
  EXPECT_DOUBLE_EQ(play(chain, Arrangement(4), std::vector<double>(4), transfer).overall, 3 + 7 + 3);
  std::vector<double> arrivals(4);
  arrivals[1] = 100;  // next to the root: the others' sum is there when it comes
  EXPECT_DOUBLE_EQ(play(chain, Arrangement(4), arrivals, transfer).overall, 100 + 2 + 7 + 3);
}

TEST(Wave, no_rank_is_free_before_it_has_arrived) {
  for (const Flow flow : {Flow::down, Flow::up, Flow::up_and_down}) {
    for (const Sending sending : {Sending::blocking, Sending::nonblocking, Sending::eager}) {
      std::vector<double> arrivals = {3, 0, 7, 2, 9, 1, 1, 0, 4, 5, 2};
      const Wave wave = play(complete(11, 2, 0, flow), Arrangement(11), arrivals,
                             {.seconds = 1, .busy_seconds = .5, .segments = 2, .sending = sending});
      for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
        EXPECT_GE(wave.left[rank], arrivals[rank]);
        EXPECT_GE(wave.waited[rank], 0);
      }
    }
  }
}

}  // namespace espalier::arrival
