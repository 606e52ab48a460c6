// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/report.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

Statistics rank_with(std::uint64_t calls, std::uint64_t nanoseconds) {
  Statistics statistics;
  const RowKey key{Collective::bcast, 4, "chain", "", "forced"};
  statistics.row(key) = {key, calls, calls * 8, nanoseconds};
  return statistics;
}

TEST(RowsOfJob, PutTheSameRowsOfAllRanksTogether) {
  const Statistics ranks[] = {rank_with(2, 1000000000), rank_with(3, 3000000000), Statistics()};
  const std::vector<JobRow> rows = rows_of_job(ranks);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].ranks, 2);
  EXPECT_EQ(rows[0].calls, 5u);
  EXPECT_EQ(rows[0].bytes, 40u);
  EXPECT_DOUBLE_EQ(rows[0].seconds_min, 1);
  EXPECT_DOUBLE_EQ(rows[0].seconds_mean, 2);
  EXPECT_DOUBLE_EQ(rows[0].seconds_max, 3);
}

TEST(Report, IsJsonWithEveryRowOnItsLine) {
  const Statistics ranks[] = {rank_with(1, 5)};
  const Report report{.version = "1.2.3",
                      .mpi = "An \"MPI\"\twith \\",
                      .ranks = 1,
                      .settings = {{"ESPALIER", "on"}},
                      .rows = rows_of_job(ranks)};
  EXPECT_EQ(json_of(report),
            "{\"version\": \"1.2.3\", \"mpi\": \"An \\\"MPI\\\"\\u0009with \\\\\", \"ranks\": 1, "
            "\"settings\": {\"ESPALIER\": \"on\"}, \"rows\": [\n"
            "  {\"collective\": \"bcast\", \"bytes_low\": 8, \"bytes_high\": 15, \"algorithm\": \"chain\", "
            "\"parameters\": \"\", \"reason\": \"forced\", \"ranks\": 1, \"calls\": 1, \"bytes\": 8, "
            "\"seconds_min\": 0.000000005, \"seconds_mean\": 0.000000005, \"seconds_max\": 0.000000005}]}\n");
}

TEST(Report, IsJsonWhateverBytesTheEnvironmentHolds) {
  const std::string json = json_of(Report{.mpi = "a\xff\xc2\x9b\x7f\xc3\xb6"});
  EXPECT_NE(json.find("\"mpi\": \"a\\u00ff\\u009b\\u007f\xc3\xb6\""), json.npos) << json;
}

TEST(Report, IsJsonWithoutAnyRow) {
  EXPECT_EQ(json_of(Report{}), "{\"version\": \"\", \"mpi\": \"\", \"ranks\": 0, \"settings\": {}, \"rows\": []}\n");
}

}  // namespace
}  // namespace espalier
