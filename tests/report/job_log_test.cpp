// SPDX-License-Identifier: Apache-2.0
#include "report/job_log.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

constexpr std::uint64_t second = 1000000000;

JobSums two_ranks() {
  Statistics statistics;
  statistics.row({"bcast", CallForm::blocking, 4, "chain", "", "", "MPI_Bcast"}).add(3, 24, std::chrono::seconds(2));
  statistics.row({"bcast", CallForm::blocking, 5, "ring", "", "", "MPI_Bcast"}).add(1, 16, std::chrono::seconds(1));
  statistics.row({"bcast", CallForm::blocking, 5, "native", "", "", "MPI_Bcast"}).add(2, 32, std::chrono::seconds(4));
  statistics.row({"halos", CallForm::blocking, 5, "native", "", "", "MPI_X"}).add(1, 1, std::chrono::seconds(1));
  JobSums sums{.wall_nanoseconds = 20 * second, .nodes = 2};
  sums.add(statistics);
  RankContext context;
  context.collective = "bcast";
  context.saved_seconds = 6;
  context.lost_seconds = 2;
  sums.add(std::vector{context});
  return sums;
}

JobLog log_of(const JobSums& sums) {
  return {.version = "1.2",
          .mpi = "M",
          .program = "a\"b",
          .job = "17",
          .user = "eve",
          .host = "n1",
          .user_id = 1001,
          .ranks = 2,
          .ended = 99,
          .sums = sums};
}

TEST(JobSums, are_of_each_collective_own_and_native) {
  JobSums sums = two_ranks();
  EXPECT_EQ(sums.of("bcast").own_calls, 4u);
  EXPECT_EQ(sums.of("bcast").own_bytes, 40u);
  EXPECT_EQ(sums.of("bcast").own_nanoseconds, 3 * second);
  EXPECT_EQ(sums.of("bcast").native_calls, 2u);
  EXPECT_EQ(sums.of("bcast").saved_nanoseconds, 6 * second);
  EXPECT_EQ(sums.of("other").native_calls, 1u) << "what has no place of its own";
  EXPECT_EQ(sums.of("reduce").native_calls, 0u);
}

TEST(JobSums, are_the_same_after_they_were_numbers) {
  const SumNumbers numbers = numbers_of(two_ranks());
  EXPECT_EQ(numbers_of(sums_of(numbers)), numbers);
  EXPECT_EQ(sums_of(numbers).of("bcast").own_calls, 4u);
}

TEST(JobSums, have_a_place_for_every_collective) {
  JobSums sums;
  for (const Collective collective : all_collectives) EXPECT_NE(&sums.of(name_of(collective)), &sums.of("other"));
}

TEST(JobLog, says_what_a_job_did_by_means_over_its_ranks) {
  const std::string text = json_of(log_of(two_ranks()), LogContent::everything);
  for (const char* const part :
       {R"("espalier_log": 1)", R"("program": "a\"b")", R"("job": "17")", R"("user": "eve")", R"("user_id": 1001)",
        R"("host": "n1")", R"("ranks": 2)", R"("nodes": 2)", R"("ended": 99)", R"("wall_seconds": 10.000000000)",
        R"("failures": 0)", R"("own_seconds": 1.500000000)", R"("saved_seconds": 3.000000000)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("\"reduce\""), std::string::npos) << "only what was called";
  EXPECT_LT(text.size(), 1500u);
}

TEST(JobLog, does_not_say_what_a_site_does_not_want_to_know) {
  const std::string of_nobody = json_of(log_of(two_ranks()), LogContent::no_user);
  for (const char* const part : {"eve", "1001", "user", "host", "n1"}) {
    EXPECT_EQ(of_nobody.find(part), std::string::npos) << part << "\n" << of_nobody;
  }
  EXPECT_NE(of_nobody.find("program"), std::string::npos);
  const std::string of_calls = json_of(log_of(two_ranks()), LogContent::only_calls);
  for (const char* const part : {"user", "host", "program", "\"job\""}) {
    EXPECT_EQ(of_calls.find(part), std::string::npos) << part << "\n" << of_calls;
  }
}

TEST(JobId, is_that_of_the_batch_system) {
  setenv("SLURM_JOB_ID", "4711", 1);
  EXPECT_EQ(job_id(), "4711");
  unsetenv("SLURM_JOB_ID");
}

}  // namespace
}  // namespace espalier
