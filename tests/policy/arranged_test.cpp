// SPDX-License-Identifier: Apache-2.0
#include "policy/arranged.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "policy/by_time.hpp"
#include "policy/policy_job.hpp"

namespace espalier::arranged_test {
namespace {

using Job = PolicyJob;

Maker forced() {
  return [](const Shape& shape) { return std::make_unique<Arranged>(whole_broadcast, shape, whole_binomial(), true); };
}

// As it is without any settings.
Maker by_time(const Problem& problem) {
  return [=](const Shape& shape) {
    const TuningSettings settings{.policy = TuningPolicy::race};
    auto inner = std::make_unique<ByTime>(problem, shape, Start{}, settings, nullptr, true);
    return std::make_unique<Arranged>(problem, shape, Selection(std::move(inner)), false);
  };
}

TEST(Arranged, a_late_rank_holds_up_nobody_for_long) {
  Job job(32, forced());
  const std::vector<double> delays = late(32, 16, 3);
  const double at_first = job.call(delays);
  for (int i = 0; i < 50; ++i) (void)job.call(delays);
  EXPECT_TRUE(job.is_arranged());
  EXPECT_LT(job.call(delays), at_first / 2);
}

TEST(Arranged, within_five_broadcasts_by_order) {
  Job job(32, forced());
  for (int i = 0; i < 6; ++i) (void)job.call(late(32, 16, 3));
  EXPECT_TRUE(job.is_arranged());
  EXPECT_EQ(job.changes(), 1);
}

std::span<double> outline_before(Policy& rank, std::uint64_t ordinal) {
  EXPECT_TRUE(std::holds_alternative<SumOverRanks>(rank.next(ordinal, Asked::together)));  // the clocks begin together
  rank.take(Sums{});
  EXPECT_TRUE(std::holds_alternative<ReadNotes>(rank.next(ordinal, Asked::again)));
  rank.take(NotesRead{});
  return std::get<ReceiveFromRoot>(rank.next(ordinal, Asked::again)).numbers;
}

// A rank that has refused a call of the others' is one call behind.
TEST(Arranged, words_before_another_call_are_refused) {
  const auto root = forced()(Shape{4}), behind = forced()(Shape{4});
  const std::span<double> said = outline_before(*root, 1), received = outline_before(*behind, 1);
  ASSERT_EQ(said.size(), received.size());
  std::ranges::copy(said, received.begin());
  received.back() += 1;
  EXPECT_THROW(behind->take(NumbersOfRoot{}), std::runtime_error);
}

TEST(Arranged, ranks_report_how_long_they_waited_for_words_of_the_root) {
  const auto root = forced()(Shape{4}), other = forced()(Shape{4});
  const std::span<double> said = outline_before(*root, 1), received = outline_before(*other, 1);
  ASSERT_EQ(said.size(), received.size());
  std::ranges::copy(said, received.begin());
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  other->take(NumbersOfRoot{});
  EXPECT_TRUE(std::holds_alternative<RunCalls>(other->next(1, Asked::again)));
  const std::optional<CallReport> report = other->take(CallEnded{1, whole_broadcast.bytes(), {}});
  ASSERT_TRUE(report);
  EXPECT_GE(report->informed, 2e-3);
}

// What fails in between is begun again by the next call.
TEST(Arranged, begins_again_where_an_exchange_did_not_come_to_its_end) {
  const auto rank = forced()(Shape{4});
  (void)outline_before(*rank, 1);
  EXPECT_TRUE(std::holds_alternative<ReadNotes>(rank->next(1, Asked::together)));
  rank->take(NotesRead{});
  EXPECT_TRUE(std::holds_alternative<ReceiveFromRoot>(rank->next(1, Asked::again)));
  rank->take(NumbersOfRoot{});
  EXPECT_TRUE(std::holds_alternative<RunCalls>(rank->next(1, Asked::again)));
}

TEST(Arranged, few_ranks_are_told_by_the_root_itself_until_it_is_known_who_is_late) {
  Job job(32, forced());
  for (int i = 0; i < 2; ++i) (void)job.call(late(32, 16, 3));
  EXPECT_EQ(job.broadcast_from_root().algorithm->name, "linear");
  for (int i = 0; i < 10; ++i) (void)job.call(late(32, 16, 3));
  EXPECT_EQ(job.broadcast_from_root().algorithm->name, "knomial");
  EXPECT_NE(job.broadcast_from_root().arrangement, nullptr);
  Job large(65, forced());
  for (int i = 0; i < 2; ++i) (void)large.call(late(65, 16, 3));
  EXPECT_EQ(large.broadcast_from_root().algorithm->name, "knomial");
}

TEST(Arranged, tells_of_what_was_forced) {
  Job job(32, forced());
  EXPECT_FALSE(job.policy(0).story(0));
  for (int i = 0; i < 10; ++i) (void)job.call(late(32, 16, 3));
  const auto story = job.policy(0).story(10);
  ASSERT_TRUE(story && story->arrivals);
  EXPECT_EQ(story->arrivals->rearranged_at, (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(story->candidates.at(0).choice.algorithm->name, "knomial");
}

TEST(Arranged, what_does_not_pay_is_undone_on_all_ranks) {
  Job job(32, forced());
  job.penalty = 5;
  const std::vector<double> delays = late(32, 16, 3);
  bool was_arranged = false;
  for (int i = 0; i < 200; ++i) {
    (void)job.call(delays);
    was_arranged = was_arranged || job.is_arranged();
  }
  EXPECT_TRUE(was_arranged);
  EXPECT_FALSE(job.is_arranged());
}

TEST(Arranged, where_nobody_is_late_nothing_changes) {
  Job job(32, forced());
  for (int i = 0; i < 2000; ++i) (void)job.call(std::vector<double>(32));
  EXPECT_FALSE(job.is_arranged());
}

// The check is in Job::call().
TEST(Arranged, all_ranks_always_arrange_alike) {
  std::mt19937 random(11);
  for (const Rank size : {2, 3, 7, 32}) {
    for (const int lag : {1, 2, 6, 40}) {
      Job job(size, forced(), lag);
      std::vector<double> delays(static_cast<std::size_t>(size));
      for (int i = 0; i < 600; ++i) {
        if (i % 50 == 0) {
          job.penalty = i % 100 == 0 ? 0 : 20;
          for (double& delay : delays) delay = static_cast<double>(random() % 1000) / 100;
        }
        std::vector<double> noisy = delays;
        for (double& delay : noisy) delay *= 1 + static_cast<double>(random() % 100) / 500;
        (void)job.call(noisy);
      }
    }
  }
}

// Not cut.
Problem of(Collective collective) { return {.collective = collective, .count = 1 << 15}; }

TEST(Arranged, is_found_by_time_without_being_asked_for) {
  for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::allreduce}) {
    Job job(32, by_time(of(collective)), 1, of(collective));
    const std::vector<double> delays =
        late(32, collective == Collective::bcast ? 16 : 31, collective == Collective::allreduce ? .5 : 3);
    const double at_first = job.call(delays);
    for (int i = 0; i < 400; ++i) (void)job.call(delays);
    EXPECT_TRUE(job.is_arranged()) << name_of(collective);
    EXPECT_LT(job.call(delays), .95 * at_first);
    const auto story = job.policy(0).story(402);
    ASSERT_TRUE(story && story->arrivals);
    EXPECT_FALSE(story->arrivals->before.arrived.empty());
    EXPECT_EQ(job.policy(1).story(402)->arrivals->rearranged_at, story->arrivals->rearranged_at);
  }
}

TEST(Arranged, is_not_tried_by_time_where_nobody_is_late) {
  Job job(32, by_time(whole_broadcast));
  for (int i = 0; i < 2000; ++i) (void)job.call(std::vector<double>(32));
  EXPECT_EQ(job.changes(), 0);
  EXPECT_FALSE(job.is_arranged());
}

// The checks are in Job::call().
TEST(Arranged, all_ranks_arrange_and_choose_alike_whatever_comes) {
  const int calls = std::getenv("THOROUGH_TESTS") != nullptr ? 200'000 : 600;
  std::mt19937 random(12);
  int changes = 0;
  for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::allreduce}) {
    for (const Rank size : {3, 5, 16}) {
      Job job(size, by_time(of(collective)), 1 + static_cast<int>(random() % 5), of(collective));
      std::vector<double> delays(static_cast<std::size_t>(size));
      for (int i = 0; i < calls; ++i) {
        if (random() % 100 == 0) {
          for (double& delay : delays) delay = static_cast<double>(random() % 1000) / 100;
        }
        std::vector<double> noisy = delays;
        for (double& delay : noisy) delay *= 1 + static_cast<double>(random() % 100) / 500;
        (void)job.call(noisy, random() % 7 != 0);
      }
      changes += job.changes();
    }
  }
  EXPECT_GT(changes, 2);
}

}  // namespace
}  // namespace espalier::arranged_test
