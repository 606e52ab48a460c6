// SPDX-License-Identifier: Apache-2.0
#include "report/history/job_history.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "memory/examples.hpp"

namespace espalier {
namespace {

ObservedTimes observed(const std::string& choice, std::uint64_t timed) {
  return {.choice = choice, .timed = timed, .low = 1e-5, .median = 2e-5, .high = 3e-5};
}

ContextMemory timed_broadcasts(std::size_t choices) {
  ContextMemory context = broadcasts(3, 1e-3);
  for (std::size_t i = 0; i < choices; ++i) context.observed.push_back(observed("native", 4 + i));
  return context;
}

nlohmann::json line_of(const PlacementMemory& memory) {
  const auto lines = history_of({memory}, {.at = 17, .run = "r", .program = "a \"b\"\n", .nics = {"ib0 100"}});
  EXPECT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].file, name_of_history(memory.placement));
  EXPECT_TRUE(lines[0].text.starts_with(R"({"at": 17, )"));
  EXPECT_EQ(lines[0].text.find('\n'), std::string::npos);
  return nlohmann::json::parse(lines[0].text);
}

TEST(JobHistory, says_when_and_where_and_how_long) {
  PlacementMemory memory = example();
  memory.contexts[0] = timed_broadcasts(1);
  const nlohmann::json line = line_of(memory);
  EXPECT_EQ(line["program"], "a \"b\"\n");
  EXPECT_EQ(line["nics"][0], "ib0 100");
  EXPECT_EQ(line["ranks"], 8);
  ASSERT_EQ(line["contexts"].size(), 1u);  // of the other one nothing was timed
  EXPECT_EQ(line["contexts"][0]["collective"], "bcast");
  EXPECT_EQ(line["contexts"][0]["root"], 3);
  EXPECT_DOUBLE_EQ(line["contexts"][0]["times"][0]["median"].get<double>(), 2e-5);
}

TEST(JobHistory, is_bounded_and_keeps_what_was_timed_most) {
  PlacementMemory memory = example();
  memory.contexts.assign(1000, timed_broadcasts(9));
  const nlohmann::json line = line_of(memory);
  EXPECT_EQ(line["contexts"].size(), 128u);
  EXPECT_EQ(line["contexts"][0]["times"].size(), 4u);
  EXPECT_EQ(line["contexts"][0]["times"][0]["timed"], 12);
}

TEST(JobHistory, has_no_line_where_nothing_was_timed) { EXPECT_TRUE(history_of({example()}, {}).empty()); }

TEST(JobHistory, knows_this_node) {
  const Circumstances here = circumstances_here();
  EXPECT_FALSE(here.program.empty());
  EXPECT_FALSE(here.host.empty());
  EXPECT_TRUE(here.kernel.starts_with("Linux "));
  EXPECT_GT(here.at, 1'700'000'000);
  EXPECT_GE(waited_for_processor(), 0);
}

}  // namespace
}  // namespace espalier
