// SPDX-License-Identifier: Apache-2.0
#include "settings/log_pattern.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

std::string shown(std::string_view pattern, const std::string& value = "v") {
  std::string text;
  for (const PathStep& step : path_by_pattern(pattern, [&](std::string_view) { return value; })) {
    text += "/" + step.name + (step.is_given ? " given" : "") + (step.is_own ? " own" : "") + ";";
  }
  return text;
}

TEST(LogPattern, is_refused_when_it_is_no_whole_path_or_has_another_word) {
  EXPECT_EQ(wrong_log_pattern(""), "");
  EXPECT_EQ(wrong_log_pattern("/var/log/%Y/%m/%d/%H/%job-%user-%host-%rank0pid-%program"), "");
  EXPECT_EQ(wrong_log_pattern("logs"), "not a whole path; allowed: a path that begins with /");
  EXPECT_TRUE(wrong_log_pattern("/logs/%x").starts_with("not known behind %; allowed: %")) << wrong_log_pattern("/%x");
  EXPECT_FALSE(wrong_log_pattern("/logs/%").empty());
}

TEST(LogPattern, becomes_a_path_step_by_step) {
  EXPECT_EQ(shown("/var//log/./x"), "/var given;/log given;/x given;");
  EXPECT_EQ(shown("/log/%Y/a%user.b/%m"), "/log given;/v;/av.b own;/v own;");
}

TEST(LogPattern, takes_no_step_elsewhere_whatever_a_word_stands_for) {
  EXPECT_EQ(shown("/log/%program", "../../etc"), "/log given;/_._.._etc;");
  EXPECT_EQ(shown("/log/%program", ".."), "/log given;/_.;");
  EXPECT_EQ(shown("/log/%program", ""), "/log given;/none;");
  EXPECT_EQ(shown("/log/%program", "a b\n\x1b"), "/log given;/a_b__;");
  EXPECT_EQ(shown("/log/%program", std::string(300, 'a')), "/log given;/" + std::string(64, 'a') + ";");
}

}  // namespace
}  // namespace espalier
