// SPDX-License-Identifier: Apache-2.0
#include "policy/by_swaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "policy/policy_job.hpp"

namespace espalier::by_swaps_test {
namespace {

using arrival::SwapSettings;
using Job = PolicyJob;

Maker swapping(const SwapSettings& settings) {
  return
      [=](const Shape& shape) { return std::make_unique<BySwaps>(whole_broadcast, shape, whole_binomial(), settings); };
}

// Broadcasts before which two ranks changed places.
std::vector<std::uint64_t> exchanges(const Job& job) {
  const auto story = job.policy(0).story(0);
  return story && story->arrivals ? story->arrivals->rearranged_at : std::vector<std::uint64_t>{};
}

std::vector<double> rising() { return {0, 2, 4, 6, 8, 10, 12, 14}; }

constexpr arrival::Transfer blocking{.seconds = 1, .busy_seconds = 1, .sending = arrival::Sending::blocking};

TEST(BySwaps, a_late_rank_holds_up_nobody_for_long) {
  for (const SwapSettings& settings : {SwapSettings{}, arrival::growing_from(16)}) {
    Job job(32, swapping(settings));
    const std::vector<double> delays = late(32, 16, 3);
    const double at_first = job.call(delays);
    for (int i = 0; i < 100; ++i) (void)job.call(delays);
    EXPECT_TRUE(job.is_arranged());
    EXPECT_LT(job.call(delays), at_first / 2);
  }
}

// Paper 4, figure 6: the load rises over eight ranks; after six operations, two of which undo one, nobody waits.
TEST(BySwaps, makes_the_papers_exchanges_in_both_of_its_settings) {
  struct Trace {
    SwapSettings settings;
    std::vector<std::uint64_t> exchanges;  // before these broadcasts
  };
  for (const auto& [settings, expected] :
       {Trace{{}, {1, 4, 7, 10, 13, 16}}, Trace{arrival::growing_from(16), {16, 32, 48, 64, 80, 96}}}) {
    Job job(8, swapping(settings), 1, whole_broadcast, blocking);
    for (int i = 0; i < 400; ++i) (void)job.call(rising());
    EXPECT_EQ(exchanges(job), expected);
    EXPECT_EQ(job.policy(0).story(0)->arrivals->ranks, (std::vector<Rank>{0, 4, 2, 3, 1, 6, 5, 7}));
  }
}

// Of 1000 broadcasts to seven ranks, whose loads become others all the time.
TEST(BySwaps, ranks_report_only_what_has_changed) {
  const auto notes_with = [](double threshold) {
    SwapSettings settings;
    settings.profile.threshold = threshold;
    Job job(8, swapping(settings), 1, whole_broadcast, blocking);
    std::mt19937 random(3);
    std::vector<double> loads = rising();
    for (int i = 0; i < 1000; ++i) {
      if (i % 20 == 0) std::ranges::shuffle(loads, random);
      std::vector<double> delays = loads;
      for (double& delay : delays) delay *= 1 + static_cast<double>(random() % 100) / 1000;
      (void)job.call(delays);
    }
    return job.notes();
  };
  EXPECT_LT(2 * notes_with(.5), notes_with(0));
}

// The check is in Job::call().
TEST(BySwaps, all_ranks_always_arrange_alike) {
  std::mt19937 random(11);
  for (const Rank size : {2, 3, 7, 32}) {
    for (const int lag : {1, 2, 6, 40}) {
      Job job(size, swapping(lag == 2 ? arrival::growing_from(5) : SwapSettings{}), lag);
      std::vector<double> delays(static_cast<std::size_t>(size));
      for (int i = 0; i < 600; ++i) {
        if (i % 50 == 0) {
          for (double& delay : delays) delay = static_cast<double>(random() % 1000) / 100;
        }
        std::vector<double> noisy = delays;
        for (double& delay : noisy) delay *= 1 + static_cast<double>(random() % 100) / 500;
        (void)job.call(noisy, random() % 7 != 0);
      }
    }
  }
}

// A rank that has said that reports follow sends the last one when it is asked to, and begins again with the next call.
TEST(BySwaps, ends_its_reports_and_begins_again) {
  BySwaps rank(whole_broadcast, Shape{4}, whole_binomial(), {});
  EXPECT_FALSE(rank.take(ReportsEnd{}));
  const CallEnded ended{.ordinal = 0, .bytes = 1, .times = {.waited = 2}};
  auto report = rank.take(ended);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->others_follow);
  EXPECT_EQ(report->waited, 2);
  EXPECT_FALSE(rank.take(ended));
  report = rank.take(ReportsEnd{});
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->others_follow);
  EXPECT_EQ(report->waited, 2);
  EXPECT_TRUE(rank.take(ended)->others_follow);
}

}  // namespace
}  // namespace espalier::by_swaps_test
