// SPDX-License-Identifier: Apache-2.0
#include "report/stats_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace espalier {
namespace {

TEST(StatsText, is_the_table_of_a_report_in_100_columns) {
  RankStatistics rank{.wall_nanoseconds = 10'000'000'000, .statistics = {}, .contexts = {}};
  rank.statistics.row({"bcast", CallForm::blocking, 11, "chain", "segment=64KiB", "", "MPI_Bcast"})
      .add(3, 4096, std::chrono::milliseconds(5));
  rank.statistics.row({"barrier", CallForm::blocking, 0, "native", "", "", "MPI_Barrier"})
      .add(1234567, 0, std::chrono::seconds(1));
  const std::vector<RankStatistics> ranks = {rank, rank};
  const std::string text = stats_text(
      {.version = "1.2", .mpi = "M", .ranks = 2, .settings = {}, .calls = calls_of_job(ranks), .contexts = {}});
  EXPECT_EQ(text,
            "espalier: 1.2 on 2 ranks, 10 s: 6 of 2469140 calls ran on its own schedules\n"
            "Function                Message        Calls      Bytes      Time    Wall  Ran as\n"
            "Barrier                     0 B      2469134        0 B       1 s   10.0%  native\n"
            "Bcast                   1 KiB -            6      8 KiB      5 ms    0.1%  chain segment=64KiB\n"
            "Calls, Bytes: of all ranks. Time: of one, on average. Wall: of the wall time; own 0.1%, native 10.0%.\n");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 102u) << line;
}

TEST(StatsText, says_so_when_there_were_no_calls) {
  const std::vector<RankStatistics> ranks(1);
  const Report report{
      .version = "1", .mpi = "", .ranks = 1, .settings = {}, .calls = calls_of_job(ranks), .contexts = {}};
  EXPECT_EQ(stats_text(report), "espalier: 1 on 1 rank, 0 ns: 0 of 0 calls ran on its own schedules\n");
}

}  // namespace
}  // namespace espalier
