// SPDX-License-Identifier: Apache-2.0
#include "toml/ascii_toml.hpp"

#include <gtest/gtest.h>

#include "core/bad_description.hpp"

namespace espalier {
namespace {

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(ascii_toml(text, "m.toml"));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

TEST(AsciiToml, puts_blanks_for_comments) {
  EXPECT_EQ(ascii_toml("# \xc3\xa9\na = 1 # b\n\nc = 2", "m.toml"), "    \na = 1    \n\nc = 2");
}

TEST(AsciiToml, finds_no_comment_in_a_string) {
  for (const std::string text : {R"(a = "#b")", R"(a = '#\' )", R"(a = "\"#")", "a = \"\"\"\n#\n\"\\\"\"\"\"",
                                 "a = '''\n#'''", "a = \"\\", "a = \"", "a = \"\"\""}) {
    EXPECT_EQ(ascii_toml(text, "m.toml"), text);
  }
  EXPECT_EQ(ascii_toml("a = \"\" # b", "m.toml"), "a = \"\"    ");
  EXPECT_EQ(ascii_toml("a = \"b\n# c", "m.toml"), "a = \"b\n   ");  // not closed in its line
}

TEST(AsciiToml, refuses_other_characters_elsewhere) {
  EXPECT_EQ(complaint("a = 1\nb = \"\xc3\xa9\""), "m.toml:2: a character that is not ASCII; allowed: in comments only");
  EXPECT_EQ(complaint("# \xe9\n\xcc\xaa").substr(0, 9), "m.toml:2:");
  EXPECT_EQ(complaint("s = \"\"\"\\\n\xc2\xa7\"\"\"").substr(0, 9), "m.toml:2:");
}

}  // namespace
}  // namespace espalier
