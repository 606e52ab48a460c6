// SPDX-License-Identifier: Apache-2.0
#include "settings/site/settings_file.hpp"

#include <gtest/gtest.h>

#include "core/bad_description.hpp"

namespace espalier {
namespace {

SettingsFile read(std::string_view text, FileOf of = FileOf::site) { return settings_file_from(text, "f.toml", of); }

std::string error_of(std::string_view text, FileOf of = FileOf::site) {
  try {
    (void)read(text, of);
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "no error";
}

std::string values_of(const std::vector<FileSetting>& settings) {
  std::string text;
  for (const FileSetting& one : settings) {
    text += name_in_file(settings_table[one.setting]) + "=" + one.text + "@" + std::to_string(one.line) + " ";
  }
  return text;
}

TEST(SettingsFile, has_any_setting_by_its_short_name) {
  const SettingsFile file = read("cache = 128\nbudget = \"2%\"\narrival = false\nespalier = \"off\"\n");
  EXPECT_EQ(values_of(file.settings), "arrival=off@3 budget=2%@2 cache=128@1 espalier=off@4 ");
  EXPECT_EQ(file.disabled_in_line, 0);
}

TEST(SettingsFile, takes_every_setting_but_those_of_one_job) {
  for (const Setting& setting : settings_table) {
    const std::string line = name_in_file(setting) + " = \"" + std::string(setting.default_text) + "\"";
    const bool is_of_one_job = setting.name == "ESPALIER_SITE_FILE" || setting.name == "ESPALIER_RUN";
    EXPECT_EQ(error_of(line) == "no error", !is_of_one_job) << line << ": " << error_of(line);
  }
}

TEST(SettingsFile, describes_hosts_limits_and_for_whom_it_is_off) {
  const SettingsFile file = read(
      "enabled = false\n[[hosts]]\nmatch = \"n[0-9]\"\nnics = \"ib0\"\n[limits]\ncache = 9\npolicy = [\"race\"]\n"
      "[off]\nprograms = [\"gmx*\"]\nusers = [\"eve\", 1001]\n");
  EXPECT_EQ(file.disabled_in_line, 1);
  ASSERT_EQ(file.hosts.size(), 1u);
  EXPECT_EQ(file.hosts[0].match, "n[0-9]");
  EXPECT_EQ(values_of(file.hosts[0].settings), "nics=ib0@4 ");
  ASSERT_EQ(file.limits.size(), 2u);
  EXPECT_EQ(file.limits[0].allowed, std::vector<std::string>{"9"});
  EXPECT_EQ(file.limits[1].allowed, std::vector<std::string>{"race"});
  EXPECT_EQ(file.off.programs, std::vector<std::string>{"gmx*"});
  EXPECT_EQ(file.off.users, (std::vector<std::string>{"eve", "1001"}));
}

TEST(SettingsFile, is_refused_with_line_setting_value_and_what_is_allowed) {
  EXPECT_EQ(error_of("\ncache = 99999"), "f.toml:2: cache = 99999: out of range; allowed: 1 to 4096");
  EXPECT_EQ(error_of("cahce = 9"), "f.toml:1: cahce: no such setting in a file; did you mean cache?");
  EXPECT_EQ(error_of("policy = \"best\""),
            "f.toml:1: policy = best: not known; allowed: estimate, race, star, adcl, intel or star-by-winner");
  EXPECT_EQ(error_of("topology = \"torus.toml\""),
            "f.toml:1: topology = torus.toml: not a whole path; allowed in a file: a path that begins with /");
  EXPECT_EQ(error_of("cache = [1]"),
            "f.toml:1: cache: neither a text in quotes nor a whole number; allowed: 1 to 4096");
  EXPECT_EQ(error_of("enabled = \"no\""), "f.toml:1: enabled must be true or false");
  EXPECT_EQ(error_of("[[hosts]]\ncache = 3"), "f.toml:1: 'match' is missing");
  EXPECT_EQ(error_of("[[hosts]]\nmatch = \"n\"\ncache = 0"), "f.toml:3: cache = 0: out of range; allowed: 1 to 4096");
  EXPECT_EQ(error_of("[limits]\nmemory = \"/x\""),
            "f.toml:2: memory: has no limit; allowed: settings that are a number or one of some words");
  EXPECT_EQ(error_of("[limits]\npolicy = \"race\""), "f.toml:2: policy: must be a list of the words that are allowed");
  EXPECT_EQ(error_of("[off]\nhosts = []"), "f.toml:2: 'hosts' is not known here; allowed: programs, users");
  EXPECT_TRUE(error_of("cache = ").starts_with("f.toml:1: ")) << error_of("cache = ");
}

TEST(SettingsFile, of_a_user_sets_no_limits) {
  EXPECT_TRUE(error_of("[limits]\ncache = 9", FileOf::user).starts_with("f.toml:1: limits: no such setting in a file"))
      << error_of("[limits]\ncache = 9", FileOf::user);
}

}  // namespace
}  // namespace espalier
