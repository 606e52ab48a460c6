// SPDX-License-Identifier: Apache-2.0
#include "levels/levels_reader.hpp"

#include <gtest/gtest.h>

#include "core/bad_description.hpp"
#include "levels/known_nodes.hpp"

namespace espalier::levels_reader_test {
namespace {

const std::string core = R"(name = "n"
[core]
copy = 1e9
reduce = 2e9
memory_copy = 3e9
memory_reduce = 4e9
call_seconds = 1e-7
message_seconds = 2e-8
read_seconds = 1e-6
read_copy = 5e9
)";
const std::string level = "[[level]]\nname = \"CCX\"\nholds = 4\nseconds = 2e-8\ncopy = 6e9\nstream = 7e9\n";

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(levels_from_toml(text, "n.toml"));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

TEST(LevelsReader, reads_levels_from_inside_to_outside) {
  const NodeLevels node = levels_from_toml(
      core + level + "cache = 16777216\n[[level]]\nname = \"socket\"\nholds = 3\nseconds = 1e-7\ncopy = 1e9\n" +
          "stream = 1e9\nshared = 2e9\nin = 3e9\nout = 4e9\nmemory = 5e9\n",
      "n.toml");
  EXPECT_EQ(node.name(), "n");
  EXPECT_EQ(node.cores(), 12);
  EXPECT_DOUBLE_EQ(node.core().memory_reduce_per_second, 4e9);
  ASSERT_EQ(node.levels().size(), 2u);
  EXPECT_EQ(node.levels()[0].name, "CCX");
  EXPECT_DOUBLE_EQ(node.levels()[0].cache_bytes, 16777216);
  EXPECT_DOUBLE_EQ(node.levels()[0].memory_bytes_per_second, 0);
  EXPECT_DOUBLE_EQ(node.levels()[1].out_bytes_per_second, 4e9);
}

TEST(LevelsReader, refuses_what_it_does_not_understand) {
  EXPECT_EQ(complaint(core), "n.toml:1: 'level' is missing");
  EXPECT_EQ(complaint(core + "[[level]]\nname = \"a\"\nholds = 0\n"),
            "n.toml:13: holds must be a whole number from 1 to 4096");
  EXPECT_EQ(
      complaint(core + level + "speed = 3\n"),
      "n.toml:17: 'speed' is not known here; allowed: cache, copy, holds, in, memory, name, out, seconds, shared, "
      "stream");
  EXPECT_EQ(complaint(core + level + "in = -1\n"), "n.toml:17: in must be a positive number");
  EXPECT_EQ(complaint("level = [1]\n" + core), "n.toml:1: a level must be a table: [[level]]");
  EXPECT_EQ(complaint("name = 'n'\nlevel = []\ncore = 1\n"), "n.toml:3: core must be a table: [core]");
}

// A simulation of more takes too long.
TEST(LevelsReader, refuses_a_node_of_too_many_cores) {
  const std::string wide = "[[level]]\nname = \"a\"\nholds = 4096\nseconds = 1\ncopy = 1\nstream = 1\n";
  EXPECT_EQ(complaint(core + wide), "");
  EXPECT_EQ(complaint(core + wide + level), "n.toml:19: holds must be a whole number from 1 to 1");
}

TEST(LevelsReader, reads_all_nodes_that_are_known) {
  std::vector<int> cores;
  for (const KnownText& known : known_nodes()) {
    cores.push_back(levels_from_toml(known.text, std::string(known.name)).cores());
  }
  EXPECT_EQ(cores, (std::vector{128, 288, 2}));
}

}  // namespace
}  // namespace espalier::levels_reader_test
