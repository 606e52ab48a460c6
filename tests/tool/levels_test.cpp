// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tool.hpp"

namespace espalier {
namespace {

TEST(LevelsTool, predicts_the_usual_collectives_next_to_what_others_published) {
  const auto answer = run_tool("levels allreduce barrier --bytes 8 --json").json();
  EXPECT_EQ(answer["node"], "2 x EPYC 7742");
  EXPECT_EQ(answer["ranks"], 128);
  ASSERT_EQ(answer["calls"].size(), 2u);
  const auto& allreduce = answer["calls"][0];
  EXPECT_EQ(allreduce["algorithms"].size(), 1u);
  EXPECT_GT(allreduce["algorithms"][0]["lines"]["CCX"], 0);
  EXPECT_EQ(allreduce["published"][0]["library"], "ext_mpi");
  EXPECT_DOUBLE_EQ(allreduce["published"][0]["seconds"], 4.8e-6);
}

TEST(LevelsTool, has_tables_of_100_columns) {
  std::istringstream lines(run_tool("levels --bytes 64KiB --all").output);
  std::string line;
  std::size_t count = 0;
  for (; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_GT(count, 20u);
}

TEST(LevelsTool, predicts_fewer_ranks_in_turn_on_a_known_node) {
  const auto answer = run_tool("levels bcast --node two-cores --ranks 2 --place in-turn --by mapped --json").json();
  EXPECT_EQ(answer["ranks"], 2);
  EXPECT_EQ(answer["by"], "mapped");
  EXPECT_TRUE(answer["calls"][0]["published"].empty());
}

TEST(LevelsTool, refuses_what_it_does_not_know) {
  const Outcome node = run_tool("levels --node epyc");
  EXPECT_EQ(node.status, 2);
  EXPECT_NE(node.errors.find("no such node; allowed: epyc-7742, grace-4, two-cores, or a file"), std::string::npos);
  EXPECT_NE(run_tool("levels --node two-cores --ranks 3").errors.find("the node has 2 cores"), std::string::npos);
  EXPECT_NE(run_tool("levels bcast --bytes 7").errors.find("multiples of 8"), std::string::npos);
  EXPECT_EQ(run_tool("levels --by magic").status, 2);
  EXPECT_EQ(run_tool("levels --node missing.toml").status, 2);
  EXPECT_EQ(run_tool("levels cast").status, 2);
}

}  // namespace
}  // namespace espalier
