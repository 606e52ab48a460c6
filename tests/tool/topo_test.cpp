// SPDX-License-Identifier: Apache-2.0
// Machines that are stored as files, with what they are taken for beside them: NAME.toml and NAME.txt.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tool.hpp"

namespace espalier {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Topo, takes_every_stored_machine_for_what_is_stored_beside_it) {
  int machines = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ESPALIER_STORED_MACHINES)) {
    if (entry.path().extension() != ".toml") continue;
    ++machines;
    const Outcome outcome = run_tool("topo --topology " + entry.path().string());
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, text_of(std::filesystem::path(entry.path()).replace_extension(".txt"))) << entry.path();
  }
  EXPECT_GE(machines, 12);
}

TEST(Topo, names_every_node_with_its_place) {
  const auto answer = run_tool("topo --json --torus 3x4").json();
  ASSERT_EQ(answer["nodes"].size(), 12u);
  EXPECT_EQ(answer["nodes"][5]["place"], (std::vector<int>{2, 1}));
  EXPECT_EQ(answer["trees"]["trinaryx6"], 4);
}

TEST(Topo, refuses_what_is_no_machine) {
  EXPECT_EQ(run_tool("topo").status, 2);
  EXPECT_EQ(run_tool("topo --torus 3x").status, 2);
  EXPECT_NE(run_tool("topo --topology /nowhere").errors.find("cannot be read"), std::string::npos);
}

TEST(Draw, shows_trees_on_their_lattice) {
  const Outcome outcome = run_tool("draw trinaryx3 --torus 3x3x3 --format svg");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  for (const char* words : {">bcast trinaryx3<", ">Tree 3<", ">Link load: at most 0.333<"}) {
    EXPECT_NE(outcome.output.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(outcome.output.find(">Tree 4<"), std::string::npos);
}

TEST(Draw, says_which_network_an_algorithm_needs) {
  EXPECT_NE(run_tool("draw bcast:trinaryx3").errors.find("--torus 3x3x3"), std::string::npos);
  EXPECT_EQ(run_tool("draw bcast:trinaryx3 --mesh 3x3").status, 2);
}

TEST(Explain, knows_what_a_network_is_good_for) {
  EXPECT_EQ(run_tool("explain bcast --bytes 1MiB --torus 3x3x3 --json").json()["chosen"], "trinaryx6");
  EXPECT_EQ(run_tool("explain bcast --bytes 1KiB --torus 3x3x3 --json").json()["chosen"], "native");
}

}  // namespace
}  // namespace espalier
