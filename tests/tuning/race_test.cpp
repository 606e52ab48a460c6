// SPDX-License-Identifier: Apache-2.0
#include "tuning/race.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tuning/context.hpp"

namespace espalier::tuning {

namespace {

// As if nothing were known.
const std::vector<Estimate> equal_estimates(6, {0, .23});

Context::SecondsOf always(std::vector<double> seconds) {
  return [seconds](int a, int) { return seconds[static_cast<std::size_t>(a)]; };
}

TEST(Race, finds_the_fastest_and_stays_there) {
  Race race(equal_estimates, 0);
  Context context(race, always({1, .9, 1.3, .5, .8, 2}));
  context.run_until(300);
  EXPECT_EQ(race.plan().incumbent, 3);
  EXPECT_GE(context.times(3), 240);
}

TEST(Race, costs_little_over_a_native_mpi_that_is_the_best) {
  Race race(equal_estimates, 0);
  Context context(race, always({1, 1.1, 1.3, 1.5, 1.2, 2}));
  context.run_until(2000);
  EXPECT_EQ(race.plan().incumbent, 0);
  EXPECT_LT(context.spent() / context.calls(), 1.01);
}

// A race that goes on where another one ended has lent that already.
TEST(Race, tries_no_more_than_what_is_left_allows) {
  for (const double left : {-1.0, 1.0, 4.0}) {
    Assumptions assumptions;
    assumptions.remaining = left;
    Race race(equal_estimates, 0, assumptions);
    Context context(race, always({1, 1.1, 1.3, 1.5, 1.2, 2}));
    EXPECT_DOUBLE_EQ(race.room(), left);
    context.run_until(400);
    EXPECT_LE(context.spent() - context.calls(), std::max(0.0, left));
  }
}

// Each agreement takes longer than the calls: others run as soon as the budget has grown enough for both.
TEST(Race, where_agreeing_takes_long_it_finds_the_fastest_within_the_budget) {
  Race race(equal_estimates, 0);
  Context context(race, always({1, 1.1, 1.3, .5, 1.2, 2}));
  context.overhead = 1.2;
  context.run_until(12000);
  EXPECT_EQ(race.plan().incumbent, 3);
  EXPECT_LT(context.spent() / context.calls(), 1.01);
}

// All that was lost but for what is believed.
double booked(const Race& race) {
  const Assumptions baseline;
  return baseline.budget * std::max(race.calls(), baseline.credit_calls) - race.budget().room(race.calls());
}

// What agreements cost in calls is known only when it is known what a call takes.
TEST(Race, agreements_are_booked_at_what_a_call_is_known_to_take_by_now) {
  Race race(equal_estimates, 0);
  const auto seconds = [](int, int call) { return call < 2 ? .05 : 1; };
  Context context(race, seconds);
  context.overhead = .1;
  context.run_block();
  const double at_first = booked(race);
  context.run_until(300);
  EXPECT_GT(at_first, 1.5);
  EXPECT_LT(booked(race), at_first + 4);
}

// So many calls, each of which stands for sixteen, and takes less than an agreement.
double spent_in_runs(Race& race, std::vector<double> seconds, int calls) {
  Context context(race, always(std::move(seconds)));
  context.overhead = 1;
  context.run_until(calls);
  return context.spent() / context.calls();
}

TEST(Race, in_runs_of_short_calls_it_spends_what_the_calls_before_have_left) {
  const auto assumptions = for_runs_of_calls({}, 16, 16 * 600);
  Race race(equal_estimates, 0, assumptions);
  EXPECT_DOUBLE_EQ(race.room(), 6);
  EXPECT_LT(spent_in_runs(race, {1, 1.1, 1.3, .5, 1.2, 2}, 600), .7);
  EXPECT_EQ(race.plan().incumbent, 3);
  Race other(equal_estimates, 0, assumptions);
  EXPECT_LT(spent_in_runs(other, {1, 1.1, 1.3, 1.5, 1.2, 2}, 600), 1.02);
  EXPECT_EQ(other.plan().incumbent, 0);
}

TEST(Race, what_was_done_once_is_paid_for) {
  Race race(equal_estimates, 0);
  const std::vector<double> seconds(race.plan().calls.size(), 1);
  race.learn({.calls = seconds, .overhead = 0, .once = 3});
  EXPECT_NEAR(race.room(), 4 - 3, 1e-9);
}

// Two of the candidates need what takes ten calls to set up.
TEST(Race, what_must_be_set_up_first_runs_when_the_budget_has_grown_for_it) {
  std::vector<Estimate> estimates = equal_estimates;
  for (const std::size_t a : {3U, 4U}) estimates[a].set_up_seconds = 10;
  Race race(estimates, 0);
  Context context(race, always({1, 1.1, 1.3, .5, .8, 2}));
  context.run_until(400);
  EXPECT_EQ(context.times(3) + context.times(4), 0);
  context.run_until(3000);
  EXPECT_EQ(race.plan().incumbent, 3);
}

TEST(Race, one_that_is_hopeless_by_estimate_never_runs) {
  std::vector<Estimate> estimates = equal_estimates;
  estimates[5].log_seconds = 3;
  Race race(estimates, 0);
  Context context(race, always({1, 1.1, 1.3, .9, 1.2, 20}));
  context.run_until(1000);
  EXPECT_EQ(context.times(5), 0);
}

TEST(Race, a_winner_that_becomes_slow_is_replaced) {
  Race race(equal_estimates, 0);
  Context context(race, [](int a, int call) {
    const double seconds[] = {1, .7, 1.3, .5, 1.2, 2};
    return a == 3 && call >= 400 ? .9 : seconds[a];
  });
  context.run_until(400);
  EXPECT_EQ(race.plan().incumbent, 3);
  context.run_until(520);
  EXPECT_EQ(race.plan().incumbent, 1);
}

TEST(Race, a_loser_that_becomes_the_best_is_found_within_a_thousand_calls) {
  Race race(equal_estimates, 0);
  Context context(race, [](int a, int call) {
    const double seconds[] = {1, .7, .75, .8, 1.2, 2};
    return a == 2 && call >= 400 ? .5 : seconds[a];
  });
  context.run_until(400);
  EXPECT_EQ(race.plan().incumbent, 1);
  context.run_until(1400);
  EXPECT_EQ(race.plan().incumbent, 2);
}

TEST(Race, a_change_for_all_alike_changes_nothing) {
  Race race(equal_estimates, 0);
  Context context(race, [](int a, int call) {
    const double seconds[] = {1, .9, 1.3, .6, 1.2, 2};
    return seconds[a] * (call >= 400 ? 2 : 1);
  });
  context.run_until(800);
  EXPECT_EQ(race.plan().incumbent, 3);
}

TEST(Race, blocks_become_longer_up_to_32_calls) {
  Race race(equal_estimates, 0);
  Context context(race, always({1, 1, 1, 1, 1, 1}));
  std::vector<int> ends;
  while (context.calls() < 200) {
    context.run_block();
    ends.push_back(context.calls());
  }
  EXPECT_EQ(ends, (std::vector<int>{2, 6, 10, 14, 18, 26, 34, 50, 66, 98, 130, 162, 194, 226}));
}

// What ranks on different machines rely on: equal timings, equal plans.
// As where calls overlap: the first of several takes longer, and of the best candidate much longer.
TEST(Race, several_calls_in_a_row_tell_what_one_does_not) {
  int last = 0;
  const auto seconds = [&](int a, int) {
    const double first[] = {1.1, 1.2, .9, 1.1, 1.4, 2.2}, later[] = {1, 1.1, .8, .4, 1.3, 2};
    const bool is_first = std::exchange(last, a) != a;
    return is_first ? first[a] : later[a];
  };
  Race race(equal_estimates, 0, for_overlapping_calls({}));
  Context context(race, seconds);
  context.run_until(500);
  EXPECT_EQ(race.plan().incumbent, 3);
}

TEST(Race, equal_timings_make_equal_plans) {
  Race one(equal_estimates, 0), other(equal_estimates, 0);
  Context of_one(one, always({1, .9, 1.3, .5, 3, 2}), .2), of_other(other, always({1, .9, 1.3, .5, 3, 2}), .2);
  for (int block = 0; block < 100; ++block) {
    ASSERT_EQ(one.plan().calls, other.plan().calls);
    of_one.run_block();
    of_other.run_block();
  }
}

TEST(Race, native_alone_is_no_race_but_works) {
  Race race(std::vector<Estimate>(1), 0);
  Context context(race, always({1}));
  context.run_until(100);
  EXPECT_EQ(race.plan().incumbent, 0);
}

TEST(Race, times_from_nanoseconds_to_hours_are_taken) {
  for (const double scale : {1e-9, 1e4}) {
    Race race(equal_estimates, 0);
    Context context(race, [&](int a, int) { return scale * (a == 3 ? .5 : 1); });
    context.run_until(200);
    EXPECT_EQ(race.plan().incumbent, 3) << scale;
  }
}

}  // namespace

}  // namespace espalier::tuning
