// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "tool.hpp"

namespace espalier {
namespace {

TEST(Draw, writes_text_to_standard_output) {
  const Outcome outcome = run_tool("draw bcast:knomial --ranks 9 --radix 3 --root 4 --rank 4");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.output.starts_with("bcast knomial: 9 ranks, root 4, 1 block in 4 segments, window 4\n"))
      << outcome.output;
}

TEST(Draw, writes_svg_to_a_file) {
  const std::string file = testing::TempDir() + "espalier_draw_" + std::to_string(::getpid()) + ".svg";
  for (const char* view : {"time", "graph"}) {
    const Outcome outcome =
        run_tool(std::string("draw allreduce:ring --ranks 4 --format svg --view ") + view + " -o " + file);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
    EXPECT_TRUE(read_file(file).starts_with("<svg "));
    std::remove(file.c_str());
  }
}

TEST(Draw, cuts_blocks_instead_of_segments_where_the_algorithm_does) {
  EXPECT_TRUE(run_tool("draw bcast:circulant --ranks 4 --segments 6")
                  .output.starts_with("bcast circulant: 4 ranks, root 0, 6 blocks, window 4\n"));
}

TEST(Draw, shows_over_time_what_does_not_go_along_the_links_of_a_torus) {
  const Outcome by_default = run_tool("draw bcast:knomial --torus 3x3 --format svg");
  EXPECT_EQ(by_default.status, 0) << by_default.errors;
  EXPECT_EQ(by_default.output, run_tool("draw bcast:knomial --torus 3x3 --format svg --view time").output);
  EXPECT_NE(run_tool("draw bcast:knomial --torus 3x3 --format svg --view lattice").status, 0);
}

TEST(Draw, refuses_loads_between_nodes_that_are_not_there) {
  const std::string file = testing::TempDir() + "espalier_loads_" + std::to_string(::getpid());
  const std::string command = "draw trinaryx3 --torus 3x3 --format svg --loads " + file;
  const auto complaint = [&](const std::string& text) {
    std::ofstream(file) << text;
    const Outcome outcome = run_tool(command);
    std::remove(file.c_str());
    return std::to_string(outcome.status) + outcome.errors;
  };
  EXPECT_EQ(complaint("n0 n1 1000\n\n").substr(0, 1), "0");
  for (const char* text :
       {"n9 n1 1", "n0 n1 1\nn1 n9 1", "n0 n0 1", "n0 n1", "n0 n1 1 1", "n0 n1 -1", "n0 n1 1e999", "n0 n1 nan"}) {
    EXPECT_NE(complaint(text).find("allowed: lines of two nodes' names and a number of bytes"), std::string::npos)
        << text;
  }
}

TEST(Draw, shows_one_rank_of_any_number) {
  EXPECT_NE(run_tool("draw allreduce:ring --ranks 158976 --rank 5").output.find("158976 ranks"), std::string::npos);
  EXPECT_NE(run_tool("draw bcast:trinaryx6 --torus 16x16x16 --rank 77").output.find("rank 77\n"), std::string::npos);
  EXPECT_NE(run_tool("draw allreduce:ring --ranks 1025").errors.find("--rank 5"), std::string::npos);
}

TEST(Draw, refuses_what_cannot_be_drawn) {
  for (const char* arguments :
       {"draw bcast:chain --root 8", "draw bcast:chain --rank 8", "draw bcast:chain --format png",
        "draw bcast:chain --window 4097", "draw bcast:chain --ranks 1025", "draw bcast:chain -o /nonexistent/file"}) {
    EXPECT_EQ(run_tool(arguments).status, 2) << arguments;
  }
}

}  // namespace
}  // namespace espalier
