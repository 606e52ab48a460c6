// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "tool.hpp"

namespace espalier {
namespace {

TEST(HaloTool, compares_all_packers) {
  const auto answer = run_tool("halo --json").json();
  EXPECT_EQ(answer["puts"], 14);
  ASSERT_EQ(answer["packers"].size(), 10u);
  EXPECT_EQ(answer["packers"][5]["name"], "bottomleft(4)");
  EXPECT_LE(answer["packers"][9]["seconds"], answer["packers"][5]["seconds"]);
  EXPECT_NE(run_tool("halo --neighbours sides").output.find("roundrobin(2)"), std::string::npos);
}

TEST(HaloTool, draws_what_a_packer_does) {
  const std::string text = run_tool("halo --packer 'bottomleft(4)'").output;
  EXPECT_NE(text.find("bottomleft(4): 14 puts to all, height 872"), std::string::npos);
  EXPECT_NE(text.find("engine 3  "), std::string::npos);
  EXPECT_NE(text.find("a east  b west  c north  d south  e northeast"), std::string::npos);
  const std::string picture = run_tool("halo --packer fastest --format svg").output;
  EXPECT_EQ(picture.rfind("<svg", 0), 0u);
  EXPECT_EQ(std::ranges::count(picture, '<'), std::ranges::count(picture, '>'));
}

TEST(HaloTool, refuses_what_it_does_not_know) {
  const Outcome packer = run_tool("halo --packer bottom");
  EXPECT_EQ(packer.status, 2);
  EXPECT_NE(packer.errors.find("no such packer; allowed: roundrobin(1), "), std::string::npos);
  EXPECT_EQ(run_tool("halo --neighbours up").status, 2);
  EXPECT_EQ(run_tool("halo --height 0").status, 2);
}

}  // namespace
}  // namespace espalier
