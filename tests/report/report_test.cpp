// SPDX-License-Identifier: Apache-2.0
#include "report/report.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

constexpr std::uint64_t second = 1000000000;

RankStatistics rank_with(std::uint64_t calls, std::uint64_t nanoseconds, std::string_view algorithm = "chain") {
  RankStatistics rank{.wall_nanoseconds = 4 * second};
  rank.statistics.row({"bcast", CallForm::blocking, 4, algorithm, "", "forced", "MPI_Ibcast"})
      .add(calls, calls * 8, std::chrono::nanoseconds(nanoseconds));
  return rank;
}

TEST(CallsOfJob, are_the_same_rows_of_all_ranks_put_together) {
  const RankStatistics ranks[] = {rank_with(2, second), rank_with(3, 3 * second), {4 * second, {}}};
  const std::vector<JobRow> rows = calls_of_job(ranks).rows;
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].ranks, 2);
  EXPECT_EQ(rows[0].calls, 5u);
  EXPECT_EQ(rows[0].bytes, 40u);
  EXPECT_DOUBLE_EQ(rows[0].seconds_min, 1);
  EXPECT_DOUBLE_EQ(rows[0].seconds_mean, 2);
  EXPECT_DOUBLE_EQ(rows[0].seconds_max, 3);
  EXPECT_DOUBLE_EQ(rows[0].share, 4.0 / 12);
}

TEST(CallsOfJob, have_totals_of_our_own_and_of_the_passed_on) {
  const RankStatistics ranks[] = {
      rank_with(2, second), rank_with(3, second, "ring"), rank_with(4, 2 * second, "native"), {12 * second, {}}};
  const JobCalls calls = calls_of_job(ranks);
  EXPECT_DOUBLE_EQ(calls.wall_seconds, 6);
  EXPECT_EQ(calls.own.calls, 5u);
  EXPECT_EQ(calls.own.bytes, 40u);
  EXPECT_DOUBLE_EQ(calls.own.seconds, 0.5);
  EXPECT_DOUBLE_EQ(calls.own.share, 2.0 / 24);
  EXPECT_EQ(calls.native.calls, 4u);
  EXPECT_DOUBLE_EQ(calls.native.share, 2.0 / 24);
}

TEST(Report, is_json_with_every_row_on_its_line) {
  const RankStatistics ranks[] = {rank_with(1, second)};
  const Report report{.version = "1.2.3",
                      .mpi = "An \"MPI\"\twith \\",
                      .ranks = 1,
                      .settings = {{"ESPALIER", "on"}},
                      .calls = calls_of_job(ranks),
                      .contexts = {"{\"collective\": \"bcast\"}"}};
  EXPECT_EQ(json_of(report),
            "{\"version\": \"1.2.3\", \"mpi\": \"An \\\"MPI\\\"\\u0009with \\\\\", \"ranks\": 1, "
            "\"settings\": {\"ESPALIER\": \"on\"}, \"wall_seconds\": 4.000000000, "
            "\"own\": {\"calls\": 1, \"bytes\": 8, \"seconds\": 1.000000000, \"share\": 0.250000000}, "
            "\"native\": {\"calls\": 0, \"bytes\": 0, \"seconds\": 0.000000000, \"share\": 0.000000000}, "
            "\"rows\": [\n"
            "  {\"collective\": \"bcast\", \"function\": \"MPI_Ibcast\", \"form\": \"blocking\", \"bytes_low\": 8, "
            "\"bytes_high\": 15, "
            "\"algorithm\": \"chain\", "
            "\"parameters\": \"\", \"reason\": \"forced\", \"ranks\": 1, \"calls\": 1, \"bytes\": 8, "
            "\"seconds_min\": 1.000000000, \"seconds_mean\": 1.000000000, \"seconds_max\": 1.000000000, "
            "\"share\": 0.250000000}], \"contexts\": [\n"
            "  {\"collective\": \"bcast\"}]}\n");
}

RankStatistics rank_that_says(const RankContext& context) {
  RankStatistics rank{.wall_nanoseconds = second};
  rank.contexts.push_back(context);
  return RankStatistics::read(rank.written());
}

TEST(ContextsOfJob, have_what_their_ranks_measured_on_average) {
  const RankStatistics ranks[] = {rank_that_says({7, {30, second}, "{\"calls\": 30}"}),
                                  rank_that_says({7, {30, 3 * second}, ""}), rank_that_says({8, {1, second}, ""})};
  const std::vector<std::string> stories = contexts_of_job(ranks);
  ASSERT_EQ(stories.size(), 1u);
  EXPECT_EQ(stories[0], "{\"calls\": 30, \"measured_calls\": 30, \"measured_seconds\": 2.000000000}");
}

TEST(ContextsOfJob, of_communicators_that_never_met_have_what_their_first_rank_measured) {
  const RankStatistics ranks[] = {rank_that_says({0, {2, second}, "{\"calls\": 2}"}),
                                  rank_that_says({0, {9, 9 * second}, "{\"calls\": 9}"})};
  const std::vector<std::string> stories = contexts_of_job(ranks);
  ASSERT_EQ(stories.size(), 2u);
  EXPECT_EQ(stories[0], "{\"calls\": 2, \"measured_calls\": 2, \"measured_seconds\": 1.000000000}");
}

TEST(Report, is_json_whatever_bytes_the_environment_holds) {
  const std::string json = json_of(Report{.mpi = "a\xff\xc2\x9b\x7f\xc3\xb6"});
  EXPECT_NE(json.find("\"mpi\": \"a\\u00ff\\u009b\\u007f\xc3\xb6\""), json.npos) << json;
}

TEST(Report, is_json_without_any_row) {
  const std::string json = json_of(Report{});
  EXPECT_NE(json.find("\"ranks\": 0, \"settings\": {}, \"wall_seconds\": 0.000000000"), json.npos) << json;
  EXPECT_NE(json.find("\"rows\": [], \"contexts\": []}"), json.npos) << json;
}

}  // namespace
}  // namespace espalier
