// SPDX-License-Identifier: Apache-2.0
// Which path calls take that are decided by time: almost all take the short one.
#include <gtest/gtest.h>

#include <map>

#include "fake/rank_of_job.hpp"
#include "mpi/calls/intercept.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

enum class CallPath { cold, watched, warm };

// So little that nothing is looked for in these calls.
constexpr double hardly_any_budget = 1e-6;  // percent
constexpr int calls_before_agreement = 128, timed_calls = 4;
// So many that the numbers of calls do not begin again, where a call is cold, too.
constexpr int many_tags = 0x3fffffff;

const Function allreduce = {.name = "MPI_Allreduce",
                            .collective = "allreduce",
                            .contract = &contract_of(Collective::allreduce),
                            .native = [](const Native& mpi, const Call& call) {
                              return mpi.Allreduce(call.input, call.output, static_cast<int>(call.sent.count),
                                                   call.sent.type, call.op, call.comm);
                            }};

// The path of a call that is made now.
CallPath path_of(const Call& call, PreparedCommunicator& communicator) {
  const RecentCall& recent = recent_place(call, false, communicator);
  if (!recent.is_for(call, false) || !recent.is_current()) return CallPath::cold;
  return recent.is_watched ? CallPath::watched : CallPath::warm;
}

// Sums of this many ints.
CallPath add(RankOfJob& here, int count) {
  const std::vector<int> mine(static_cast<std::size_t>(count), here.rank() + 1);
  std::vector<int> sum(mine.size());
  const Call call{.function = &allreduce,
                  .input = mine.data(),
                  .output = sum.data(),
                  .sent = {.count = count, .type = MPI_INT},
                  .op = MPI_SUM,
                  .comm = MPI_COMM_WORLD};
  const CallPath path = path_of(call, here.communicator());
  EXPECT_EQ(intercept(call, nullptr), MPI_SUCCESS);
  EXPECT_EQ(sum, std::vector<int>(mine.size(), 3));
  return path;
}

std::map<CallPath, int> paths_of_calls(RankOfJob& here, int calls, int count) {
  std::map<CallPath, int> paths;
  for (int k = 0; k < calls; ++k) ++paths[add(here, count)];
  return paths;
}

// With a processor for each rank.
void be_alone_on_a_node(Job& job) {
  job.is_one_node = true;
  job.crowded = false;
}

void choose_by_time(RankOfJob& here) {
  Settings settings = here.job().settings;
  settings.budget_percent = hardly_any_budget;
  here.context().selector = std::make_unique<Selector>(settings);
}

// The first one, the first one that is timed, and the one in which the ranks agree are cold.
TEST(CallPaths, are_short_where_nobody_wants_to_know_of_a_call) {
  run_job(2, {.policy = TuningPolicy::race, .highest_tag = many_tags}, [](RankOfJob& here) {
    choose_by_time(here);
    std::map<CallPath, int> paths = paths_of_calls(here, calls_before_agreement, 1);
    EXPECT_EQ(paths[CallPath::cold], 2);
    EXPECT_EQ(paths[CallPath::watched], timed_calls - 1);
    EXPECT_EQ(paths[CallPath::warm], calls_before_agreement - 2 - (timed_calls - 1));
    EXPECT_EQ(add(here, 1), CallPath::cold);
    EXPECT_EQ(paths_of_calls(here, 1000, 1), (std::map<CallPath, int>{{CallPath::warm, 1000}}));
  });
}

// They are of one context, whose calls are counted together.
TEST(CallPaths, are_short_for_calls_that_take_turns) {
  run_job(2, {.policy = TuningPolicy::race, .highest_tag = many_tags}, [](RankOfJob& here) {
    choose_by_time(here);
    std::map<CallPath, int> paths;
    for (int k = 0; k < calls_before_agreement / 2; ++k) ++paths[add(here, 5)], ++paths[add(here, 6)];
    EXPECT_EQ(paths[CallPath::cold], 4);
    EXPECT_EQ(paths[CallPath::watched], timed_calls - 2);
    EXPECT_EQ(add(here, 5), CallPath::cold);
    EXPECT_EQ(add(here, 6), CallPath::cold);
    for (int k = 0; k < 100; ++k) {
      EXPECT_EQ(add(here, 5), CallPath::warm);
      EXPECT_EQ(add(here, 6), CallPath::warm);
    }
  });
}

TEST(CallPaths, are_watched_for_a_report) {
  run_job(2, {.policy = TuningPolicy::race, .report = "report.json", .highest_tag = many_tags}, [](RankOfJob& here) {
    choose_by_time(here);
    std::map<CallPath, int> paths = paths_of_calls(here, 1000, 1);
    EXPECT_EQ(paths[CallPath::warm], 0);
    if (here.rank() != 0) return;
    std::uint64_t calls = 0;
    const Statistics statistics = here.context().communicators.statistics();
    for (const StatisticsRow& row : statistics.rows()) calls += row.calls;
    EXPECT_GE(calls, 1000u);
  });
}

TEST(CallPaths, are_short_from_the_second_call_on_where_a_decision_holds_permanently) {
  for (const char* algorithm : {"allreduce:ring", "allreduce:native"}) {
    run_job(2, {.algorithms = algorithm, .highest_tag = many_tags}, [](RankOfJob& here) {
      EXPECT_EQ(add(here, 5), CallPath::cold);
      EXPECT_EQ(paths_of_calls(here, 100, 5), (std::map<CallPath, int>{{CallPath::warm, 100}}));
    });
  }
}

// Of the collective, whatever their sizes: nothing is set up for them. Long ones are none of them.
TEST(CallPaths, are_short_in_the_first_calls_inside_a_node) {
  run_job(2, {.policy = TuningPolicy::race, .highest_tag = many_tags}, [](RankOfJob& here) {
    be_alone_on_a_node(here.job());
    here.job().settings.first_calls = 50;
    for (const int count : {5, 6}) {
      EXPECT_EQ(add(here, count), CallPath::cold);
      EXPECT_EQ(paths_of_calls(here, 24, count), (std::map<CallPath, int>{{CallPath::warm, 24}}));
    }
    const auto is_decided = [&] { return !here.communicator().decisions.empty(); };
    EXPECT_FALSE(is_decided());
    EXPECT_EQ(add(here, 5), CallPath::cold);
    EXPECT_TRUE(is_decided());
  });
}

TEST(CallPaths, long_calls_are_not_among_the_first) {
  run_job(2, {.policy = TuningPolicy::race, .highest_tag = many_tags}, [](RankOfJob& here) {
    be_alone_on_a_node(here.job());
    (void)add(here, 1000);
    EXPECT_FALSE(here.communicator().decisions.empty());
  });
}

TEST(CallPaths, nothing_is_first_where_the_user_has_said_what_is_to_run) {
  run_job(2, {.algorithms = "allreduce:ring", .highest_tag = many_tags}, [](RankOfJob& here) {
    be_alone_on_a_node(here.job());
    (void)add(here, 5);
    EXPECT_TRUE(here.communicator().has_joined());
  });
}

// What is asked before each call.
TEST(CallPaths, are_cold_in_turn) {
  run_job(2, {.algorithms = "allreduce:in-turn", .highest_tag = many_tags}, [](RankOfJob& here) {
    EXPECT_EQ(paths_of_calls(here, 100, 5), (std::map<CallPath, int>{{CallPath::cold, 100}}));
  });
}

}  // namespace
}  // namespace espalier
