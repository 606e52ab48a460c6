// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tool.hpp"

namespace espalier {
namespace {

TEST(Verify, answers_with_counts_first) {
  const Outcome outcome = run_tool("verify --ranks 2,5 bcast:chain allreduce:ring --json");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.output.starts_with("{\n  \"schedules\": ")) << outcome.output;
  const auto answer = outcome.json();
  EXPECT_GT(answer["schedules"], 10);
  EXPECT_EQ(answer["failures"], 0);
  EXPECT_GE(answer["seconds"], 0.0);
}

TEST(Verify, tells_its_progress_on_standard_error_line_by_line) {
  const Outcome outcome = run_tool("verify bcast:chain bcast:linear --ranks 2,3 --json --progress");
  std::istringstream lines(outcome.errors);
  std::string line;
  int done = 0;
  while (std::getline(lines, line)) {
    const auto progress = nlohmann::json::parse(line);
    EXPECT_EQ(progress["done"], ++done);
    EXPECT_EQ(progress["total"], 4);
    EXPECT_EQ(progress["failures"], 0);
  }
  EXPECT_EQ(done, 4);
}

TEST(Verify, proves_what_takes_powers_of_two_among_those) {
  EXPECT_EQ(run_tool("verify allreduce:swing --ranks 4,6,8 --json").json()["schedules"], 6);
  const Outcome refused = run_tool("verify allreduce:swing --ranks 6");
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.errors.find("allreduce:swing takes a power of two of ranks"), std::string::npos) << refused.errors;
  EXPECT_NE(run_tool("draw allreduce:swing --ranks 6").status, 0);
}

TEST(Verify, proves_one_case_among_many_ranks_and_says_what_it_leaves_out) {
  const auto answer = run_tool("verify bcast:knomial --ranks 1100 --json").json();
  EXPECT_EQ(answer["schedules"], 1);
  EXPECT_EQ(answer["failures"], 0);
  EXPECT_NE(answer["left_out"].get<std::string>().find("other roots"), std::string::npos);
  EXPECT_FALSE(run_tool("verify bcast:knomial --ranks 5 --json").json().contains("left_out"));
}

TEST(Verify, proves_on_a_network_that_is_named) {
  const Outcome outcome = run_tool("verify allreduce:trinaryx3_fused --torus 4x3x5");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("Left out: "), std::string::npos) << outcome.output;
  EXPECT_NE(run_tool("verify allreduce:trinaryx3_fused --mesh 4x4").errors.find("needs a torus"), std::string::npos);
}

TEST(Verify, refuses_what_would_take_minutes) {
  const Outcome refused = run_tool("verify allgather:ring --ranks 9216");
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.errors.find("more than in seconds"), std::string::npos) << refused.errors;
  EXPECT_NE(run_tool("verify --all --ranks 9216").status, 0);
}

TEST(Mutate, counts_what_was_caught_and_what_was_harmless) {
  const auto answer = run_tool("mutate bcast:chain --ranks 3 --json").json();
  EXPECT_GT(answer["made"], 10);
  EXPECT_EQ(answer["made"], answer["caught"].get<int>() + answer["harmless"].get<int>());
  EXPECT_EQ(answer["refuted"], 0);
  EXPECT_FALSE(answer["mutations"].empty());
}

}  // namespace
}  // namespace espalier
