// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tool.hpp"

namespace espalier {
namespace {

nlohmann::json candidate(const nlohmann::json& answer, const std::string& name) {
  for (const auto& one : answer["candidates"]) {
    if (one["algorithm"] == name) return one;
  }
  return {};
}

TEST(Explain, counts_what_each_candidate_does) {
  const auto answer = run_tool("explain allreduce --bytes 1MiB --ranks 8 --json").json();
  EXPECT_EQ(answer["chosen"], "ring");
  EXPECT_EQ(answer["bytes"], 1 << 20);
  const auto ring = candidate(answer, "ring");
  EXPECT_TRUE(ring["chosen"]);
  EXPECT_EQ(ring["parameters"]["segment"], 65536);
  EXPECT_EQ(ring["cost"]["messages"], 8 * 2 * 7 * 2);  // ranks, phases, steps, segments per block
  EXPECT_EQ(ring["cost"]["steps"], 2 * 7 * 2);
  EXPECT_EQ(ring["cost"]["most_sent_bytes"], 2 * 7 * (1 << 17));  // every block but one, twice
  EXPECT_TRUE(candidate(answer, "native")["cost"].is_null());
}

TEST(Explain, obeys_the_settings_of_the_environment) {
  const auto answer = run_tool("explain bcast --bytes 100 --ranks 4 --root 3 --json",
                               {"ESPALIER_ALGORITHM=bcast:chain,segment=10,window=2"})
                          .json();
  EXPECT_EQ(answer["chosen"], "chain");
  EXPECT_EQ(answer["reason"], "forced");
  EXPECT_EQ(candidate(answer, "chain")["parameters"]["window"], 2);
  EXPECT_EQ(candidate(answer, "chain")["cost"]["messages"], 30);
}

TEST(Explain, says_why_an_algorithm_is_unfit) {
  const auto answer = run_tool("explain reduce --ranks 4 --arithmetic rank_order --json").json();
  EXPECT_EQ(answer["chosen"], "native");
  EXPECT_FALSE(candidate(answer, "binomial")["eligible"]);
  EXPECT_NE(candidate(answer, "binomial")["reason"], "");
  EXPECT_TRUE(candidate(answer, "in_order")["eligible"]);
}

TEST(Explain, leaves_the_counts_out_when_a_run_would_be_too_large) {
  const Outcome outcome = run_tool("explain allreduce --bytes 1GiB --ranks 100000 --json");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(candidate(outcome.json(), "ring")["cost"].is_null());
}

TEST(Explain, refuses_what_makes_no_sense) {
  for (const char* arguments :
       {"explain bcast --bytes 64k", "explain bcast --ranks 4 --root 4", "explain allreduce --bytes 7",
        "explain barrier --bytes 8", "explain allreduce --arithmetic fuzzy", "explain bcast --ranks 0"}) {
    EXPECT_EQ(run_tool(arguments).status, 2) << arguments;
  }
}

TEST(Explain, reads_as_a_sentence) {
  const std::string text = run_tool("explain barrier --ranks 4").output;
  EXPECT_TRUE(text.starts_with("barrier among 4 ranks: native (")) << text;
}

}  // namespace
}  // namespace espalier
