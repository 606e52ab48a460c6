// SPDX-License-Identifier: Apache-2.0
#include "topology/text/conf_lines.hpp"

#include <gtest/gtest.h>

#include "core/bad_description.hpp"

namespace espalier::conf_lines_test {
namespace {

// "1 key=value key=value; 3 ..."
std::string shown(const std::vector<ConfLine>& lines) {
  std::string text;
  for (const ConfLine& line : lines) {
    text += (text.empty() ? "" : "; ") + std::to_string(line.number);
    for (const ConfPair& word : line.words) text.append(" ").append(word.key).append("=").append(word.value);
  }
  return text;
}

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(conf_text(text, "t.conf"));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

TEST(ConfLines, are_words_with_keys_in_lower_case) {
  EXPECT_EQ(shown(conf_text("A=b Cd = e\r\n\n  F=\"g h\"\tI=j=k\n", "t.conf").lines), "1 a=b cd=e; 3 f=g h i=j=k");
}

TEST(ConfLines, go_on_after_a_backslash_and_count_from_their_first_line) {
  EXPECT_EQ(shown(conf_text("a=1 \\\n  b=2 \\  \nc=3\nd=4", "t.conf").lines), "1 a=1 b=2 c=3; 4 d=4");
  EXPECT_EQ(shown(conf_text("a=1 \\", "t.conf").lines), "1 a=1");
}

TEST(ConfLines, go_on_within_a_word_as_slurm_joins_them) {
  EXPECT_EQ(shown(conf_text("a=n[1-2]\\\n,n3 b=1", "t.conf").lines), "1 a=n[1-2],n3 b=1");
  EXPECT_EQ(shown(conf_text("a=n[1-2]\\\r\n,n3\r\nb=1", "t.conf").lines), "1 a=n[1-2],n3; 3 b=1");
  EXPECT_EQ(shown(conf_text("a=1\\ # one\n2\\\n\nb=3", "t.conf").lines), "1 a=12; 4 b=3");
}

TEST(ConfLines, take_what_is_escaped_as_it_is) {
  EXPECT_EQ(shown(conf_text("a=1\\#2 # c\nb=3\\\\\nc=4", "t.conf").lines), "1 a=1#2; 2 b=3\\; 3 c=4");
}

TEST(ConfLines, end_at_a_comment) {
  EXPECT_EQ(shown(conf_text("a=1 # b=2 \\\n#\nc=3#", "t.conf").lines), "1 a=1; 3 c=3");
}

TEST(ConfLines, have_remarks_for_us_in_comments) {
  const ConfText text = conf_text("# espalier: rate=1e9, nics=2\na=1 #Espalier: b=3\n# of espalier: c=4\n", "t.conf");
  EXPECT_EQ(shown(text.remarks), "1 rate=1e9 nics=2; 2 b=3");
  EXPECT_EQ(shown(text.lines), "2 a=1");
}

TEST(ConfLines, keep_the_commas_of_a_list_in_a_remark) {
  EXPECT_EQ(shown(conf_text("# espalier: nodes=a[1-2,4]b,c, rate = 1,nics = 2 list=\"x, y\",", "t.conf").remarks),
            "1 nodes=a[1-2,4]b,c rate=1 nics=2 list=x, y");
}

TEST(ConfLines, refuse_words_without_a_value) {
  EXPECT_EQ(complaint("a=1\nExclude nodes.conf"), "t.conf:2: 'Exclude' has no value; allowed: KEY=VALUE");
  EXPECT_EQ(complaint("a=\"b"), "t.conf:1: a quote is not closed; allowed: KEY=VALUE");
  EXPECT_EQ(complaint("=b"), "t.conf:1: '' has no value; allowed: KEY=VALUE");
  EXPECT_EQ(complaint("\n# espalier: fast"), "t.conf:2: 'fast' has no value; allowed: KEY=VALUE");
}

TEST(ConfLines, refuse_to_go_on_in_another_file) {
  EXPECT_EQ(complaint("a=1\ninclude nodes.conf"),
            "t.conf:2: 'Include' is not followed; allowed: the lines of that file in this one");
  EXPECT_EQ(shown(conf_text("Include = 1", "t.conf").lines), "1 include=1");
}

}  // namespace
}  // namespace espalier::conf_lines_test
