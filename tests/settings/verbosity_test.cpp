// SPDX-License-Identifier: Apache-2.0
#include "settings/verbosity.hpp"

#include <gtest/gtest.h>

#include "settings/settings.hpp"

namespace espalier {
namespace {

std::string normal(std::string_view text) {
  Verbosity verbosity;
  const std::string error = parse_verbosity(text, verbosity);
  return error.empty() ? format_verbosity(verbosity) : "wrong: " + error;
}

TEST(Verbosity, means_by_a_number_what_it_always_has) {
  EXPECT_EQ(normal("0"), "0");
  EXPECT_EQ(normal("1"), "1");
  EXPECT_EQ(normal("off"), "0");
  EXPECT_EQ(normal("start=info,memory=info,network=1,fabric=info,node=info"), "1");
  Verbosity verbosity;
  ASSERT_EQ(parse_verbosity("1", verbosity), "");
  EXPECT_TRUE(verbosity.wants(Topic::start, Level::info));
  EXPECT_FALSE(verbosity.wants(Topic::choice, Level::info));
  EXPECT_EQ(normal("info"), "info");
}

TEST(Verbosity, has_a_level_for_each_subject) {
  EXPECT_EQ(normal("choice=trace,memory=info"), "choice=trace,memory=info");
  EXPECT_EQ(normal("memory=1,choice=trace"), "choice=trace,memory=info");
  EXPECT_EQ(normal("choice=trace,choice=off"), "0");
  EXPECT_EQ(normal("trace"), "trace");
}

TEST(Verbosity, lets_a_level_without_a_subject_count_for_all_so_far) {
  Verbosity verbosity;
  ASSERT_EQ(parse_verbosity("info,halo=off,late=trace", verbosity), "");
  EXPECT_TRUE(verbosity.wants(Topic::node, Level::info));
  EXPECT_FALSE(verbosity.wants(Topic::node, Level::trace));
  EXPECT_FALSE(verbosity.wants(Topic::halo, Level::info));
  EXPECT_TRUE(verbosity.wants(Topic::late, Level::trace));
}

TEST(Verbosity, refuses_what_it_does_not_know_and_says_what_it_does) {
  EXPECT_EQ(normal("loud"), "wrong: 'loud' has no level");
  EXPECT_EQ(normal(""), "wrong: '' has no level");
  EXPECT_EQ(normal("choice"), "wrong: 'choice' has no level");
  EXPECT_EQ(normal("choise=info"), "wrong: 'choise' is no subject");
  const char* const wrong[] = {"ESPALIER_VERBOSE=2"};
  EXPECT_EQ(parse_settings(wrong).error,
            "ESPALIER_VERBOSE=2: '2' has no level; allowed: [SUBJECT=]LEVEL[,...]; a LEVEL is off, info, trace, 0 or "
            "1; a SUBJECT start, choice, late, memory, network, fabric, node, halo");
}

TEST(VerboseFile, knows_its_words) {
  EXPECT_EQ(wrong_verbose_file("/tmp/said.%host.%pid.%rank"), "");
  EXPECT_EQ(wrong_verbose_file("said.%d"), "not known behind %; allowed there: host, pid or rank");
}

}  // namespace
}  // namespace espalier
