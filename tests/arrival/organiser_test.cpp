// SPDX-License-Identifier: Apache-2.0
#include "arrival/organiser.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "arrival/trees.hpp"

namespace espalier::arrival {

namespace {

constexpr Transfer real{.seconds = 1, .busy_seconds = 1};

// All ranks of a communicator with an organiser among them, and one who is late.
class Job {
 public:
  // `overhead`: what learning of the arrangement takes.
  explicit Job(Rank size, double overhead = 0)
      : tree_(knomial(size)), overhead_(overhead), organiser_(tree_, {}), present_(size) {}

  // A broadcast, to which `late` arrives late. What ranks report arrives in any order. `penalty`: how much longer each
  // rank is in it than the model says, if it is not where its number puts it.
  void broadcast(Rank late, double delay, double penalty = 0) {
    std::vector<double> arrivals(static_cast<std::size_t>(tree_.size()), 10.0 * static_cast<double>(broadcasts_));
    arrivals[static_cast<std::size_t>(late)] += delay;
    Wave wave = play(tree_, present_, arrivals, real);
    if (!present_.is_baseline()) {
      for (double& left : wave.left) left += penalty;
    }
    std::vector<Rank> ranks = Arrangement(tree_.size()).ranks();
    std::ranges::shuffle(ranks, random_);
    for (const Rank rank : ranks) {
      const auto i = static_cast<std::size_t>(rank);
      organiser_.receive(rank, broadcasts_,
                         {.begun = arrivals[i],
                          .taken = wave.left[i] - arrivals[i],
                          .waited = wave.waited[i],
                          .informed = rank == 0 ? overhead_ : 0});
    }
    ++broadcasts_;
    last_ = wave;
    if (!organiser_.decide()) return;
    ++moves_;
    organiser_.take_effect(broadcasts_);
    if (organiser_.placement().front() == undo_placement) {
      present_ = before_;
      return;
    }
    before_ = present_;
    present_ = arrangement_from(organiser_.placement(), tree_, {}, present_);
  }

  [[nodiscard]] const Wave& last() const { return last_; }
  [[nodiscard]] int moves() const { return moves_; }
  [[nodiscard]] const Arrangement& present() const { return present_; }
  Organiser& organiser() { return organiser_; }

 private:
  PlaceTree tree_;
  double overhead_;
  Organiser organiser_;
  Arrangement present_, before_{1};
  Wave last_;
  std::uint64_t broadcasts_ = 0;
  int moves_ = 0;
  std::mt19937 random_{1};
};

}  // namespace

TEST(Organiser, moves_a_late_rank_aside) {
  Job job(32);
  for (int i = 0; i < 40; ++i) job.broadcast(16, 20);
  EXPECT_GE(job.moves(), 1);
  EXPECT_LE(job.last().overall, 22);
}

TEST(Organiser, needs_five_broadcasts_for_it) {
  Job job(32);
  for (int i = 0; i < 5; ++i) job.broadcast(16, 20);
  EXPECT_EQ(job.moves(), 1);
  for (int i = 0; i < 100; ++i) job.broadcast(16, 20);
  EXPECT_EQ(job.moves(), 1);
}

// In calls so short that it looks seldom.
TEST(Organiser, looks_closely_once_ranks_arrive_otherwise) {
  Job job(32, 1.5);
  for (int i = 0; i < 200; ++i) job.broadcast(31, 20);
  EXPECT_GT(job.organiser().period(), 8);
  int broadcasts = 0;
  for (int moves = job.moves(); job.moves() == moves && broadcasts < 100; ++broadcasts) job.broadcast(16, 20);
  EXPECT_LE(broadcasts, 5);
  EXPECT_EQ(job.organiser().period(), 1);
}

TEST(Organiser, waits_for_nobody_who_has_not_reported) {
  const PlaceTree tree = knomial(4);
  Organiser organiser(tree, {});
  for (std::uint64_t broadcast = 0; broadcast < 50; ++broadcast) {
    for (const Rank rank : {0, 1, 3}) organiser.receive(rank, broadcast, {.waited = 5});
    EXPECT_FALSE(organiser.decide());
  }
  organiser.receive(2, 40, {});  // of one that was aborted since, and of one that was not
  (void)organiser.decide();
  EXPECT_EQ(organiser.latest().number, 40U);
  organiser.receive(2, 3, {});
  organiser.receive(2, 40, {});
  organiser.receive(77, 49, {});
  (void)organiser.decide();
  EXPECT_EQ(organiser.latest().number, 40U);
}

// As where messages have farther to go then: the model does not know that.
TEST(Organiser, an_arrangement_that_does_not_pay_is_undone_and_not_tried_again) {
  Job job(32);
  for (int i = 0; i < 300; ++i) job.broadcast(16, 20, 30);
  EXPECT_EQ(job.moves(), 2);
  EXPECT_EQ(job.organiser().placement().front(), undo_placement);
  EXPECT_TRUE(job.present().is_baseline());
}

TEST(Organiser, after_an_arrangement_that_did_not_pay_another_late_rank_is_moved) {
  Job job(32);
  for (int i = 0; i < 40; ++i) job.broadcast(16, 20, 30);
  EXPECT_TRUE(job.present().is_baseline());
  for (int i = 0; i < 60; ++i) job.broadcast(8, 20);
  EXPECT_FALSE(job.present().is_baseline());
  EXPECT_LE(job.last().overall, 22);
}

// Nobody leaves a broadcast before its root has arrived.
TEST(Organiser, a_clock_that_began_late_makes_nobody_early) {
  const PlaceTree tree = knomial(4);
  Organiser organiser(tree, {});
  for (Rank rank = 0; rank < 4; ++rank)
    organiser.receive(rank, 0, {.begun = rank == 3 ? 100.0 - 7 : 100.0, .taken = 2});
  (void)organiser.decide();
  EXPECT_EQ(organiser.latest().arrivals, (std::vector<double>{100, 100, 100, 98}));
  EXPECT_EQ(organiser.latest().left[3], 100);
}

TEST(Organiser, asks_seldom_where_calls_are_short) {
  const PlaceTree tree = knomial(8);
  const auto period_for = [&](double taken, double overhead, bool is_asked_for = false) {
    Organiser organiser(tree, {}, !is_asked_for);
    for (Rank rank = 0; rank < 8; ++rank) organiser.receive(rank, 0, {.taken = taken, .informed = overhead});
    (void)organiser.decide();
    return organiser.period();
  };
  EXPECT_EQ(period_for(1, 1e-6), 1);
  EXPECT_EQ(period_for(2e-3, 4e-4), 1);  // at first
  EXPECT_EQ(period_for(1e-3, 4e-4), 80);
  EXPECT_EQ(period_for(1e-3, 4e-4, true), 1);
  EXPECT_EQ(period_for(1e-4, 8e-4), 1600);
  EXPECT_EQ(period_for(1e-6, 1), max_period);
}

// Seconds: calls of 4e-3 among ranks half of which learn of arrangements that late, over a WAN; the root tells them in
// no time, and may be late itself.
std::uint64_t period_over_wan(Flow flow, double to_learn, double root_is_late = 0) {
  const PlaceTree tree = knomial(8, 0, 2, flow);
  Organiser organiser(tree, {}, true);
  for (std::uint64_t call = 0; call < 4; ++call) {
    const double begun = static_cast<double>(call);
    organiser.receive(0, call, {.begun = begun + root_is_late, .taken = 4e-3, .informed = 1e-6});
    for (Rank rank = 1; rank < 8; ++rank) {
      const double informed = root_is_late + (rank < 4 ? 1e-6 : to_learn);
      organiser.receive(rank, call, {.begun = begun, .taken = 4e-3, .informed = informed});
    }
    (void)organiser.decide();
  }
  return organiser.period();
}

TEST(Organiser, asks_seldom_where_ranks_that_have_something_to_give_wait_long_for_its_words) {
  EXPECT_EQ(period_over_wan(Flow::up_and_down, 3e-3), 150);
  EXPECT_EQ(period_over_wan(Flow::up, 3e-3), 150);
  EXPECT_EQ(period_over_wan(Flow::down, 3e-3), 1) << "the message comes along it";
  EXPECT_EQ(period_over_wan(Flow::up_and_down, 1e-6), 1);
  EXPECT_EQ(period_over_wan(Flow::up_and_down, 1e-6, 2e-3), 1) << "they would wait for a late root in any case";
}

TEST(Organiser, a_placement_that_is_none_is_refused) {
  const PlaceTree tree = knomial(4);
  EXPECT_THROW((void)arrangement_from(std::vector<double>{0, 1, 2}, tree, {}, Arrangement(4)), std::invalid_argument);
  EXPECT_THROW((void)arrangement_from(std::vector<double>{0, 1, 1, 2}, tree, {}, Arrangement(4)),
               std::invalid_argument);
  for (const double none : {-1.0, 4.0, 1e300, std::nan("")}) {
    EXPECT_THROW((void)arrangement_from(std::vector<double>{0, 1, 2, none}, tree, {}, Arrangement(4)),
                 std::invalid_argument);
  }
  EXPECT_THROW((void)arrangement_from(std::vector<double>{1, 1, 0, 0, 0}, tree, {}, Arrangement(4)),
               std::invalid_argument);
}

}  // namespace espalier::arrival
