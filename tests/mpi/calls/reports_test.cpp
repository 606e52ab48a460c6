// SPDX-License-Identifier: Apache-2.0
// What calls leave in the rows of a report.
#include <gtest/gtest.h>

#include "calls/trial.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

const Form& broadcast = blocking_forms()[1];
Task broadcast_of(int count) { return {.collective = Collective::bcast, .size = 2, .count = count}; }

std::deque<StatisticsRow> rows_after(const std::string& algorithms, const std::function<void(Rank)>& calls) {
  std::deque<StatisticsRow> rows;
  run_job(2, {.algorithms = algorithms, .report = "report.json"}, [&](RankOfJob& here) {
    calls(here.rank());
    if (here.rank() == 0) rows = here.context().communicators.statistics().rows();
  });
  return rows;
}

TEST(ReportedCalls, OfAKindAreOneRow) {
  const auto rows = rows_after("bcast:chain,segment=1KiB,window=3", [](Rank me) {
    for (int k = 0; k < 3; ++k) expect_call(broadcast, broadcast_of(4), me);
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.collective, Collective::bcast);
  EXPECT_EQ(rows[0].key.algorithm, "chain");
  EXPECT_EQ(rows[0].key.parameters, "segment=1KiB,window=3");
  EXPECT_EQ(rows[0].key.size_class, size_class_of(16));
  EXPECT_EQ(rows[0].calls, 3u);
  EXPECT_EQ(rows[0].bytes, 48u);
}

TEST(ReportedCalls, SayTheRadixWhereThereIsOne) {
  const auto rows = rows_after("bcast:knomial,radix=4", [](Rank me) { expect_call(broadcast, broadcast_of(4), me); });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_NE(rows[0].key.parameters.find(",radix=4"), std::string::npos);
}

TEST(ReportedCalls, SayWhyTheyWentToTheNativeMpi) {
  const auto rows = rows_after("bcast:chain", [](Rank me) { expect_call(broadcast, broadcast_of(0), me); });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.algorithm, "native");
  EXPECT_EQ(rows[0].key.reason, "an empty message");
  EXPECT_EQ(rows[0].key.parameters, "");
}

TEST(ReportedCalls, ThatChangeTheirAlgorithmHaveARowForEach) {
  const auto rows = rows_after("bcast:in-turn", [](Rank me) {
    for (int k = 0; k < 4; ++k) expect_call(broadcast, broadcast_of(4), me);
  });
  EXPECT_EQ(rows.size(), 4u);
  for (const StatisticsRow& row : rows) EXPECT_EQ(row.calls, 1u);
}

}  // namespace
}  // namespace espalier
