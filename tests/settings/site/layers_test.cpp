// SPDX-License-Identifier: Apache-2.0
#include "settings/site/layers.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

const ThisProcess process{.host = "node7.cluster", .programs = {"python3", "solve.py"}, .user_id = "1001"};

std::string name_of_user() { return "eve"; }

struct Files {
  std::string site, user;
};

ParsedSettings layered(const Files& texts, std::initializer_list<const char*> environment = {},
                       const ThisProcess& at = process) {
  FoundSettingsFiles files;
  if (!texts.site.empty()) files.site = settings_file_from(texts.site, "site.toml", FileOf::site);
  if (!texts.user.empty()) files.user = settings_file_from(texts.user, "user.toml", FileOf::user);
  return layered_settings({environment.begin(), environment.size()}, files, at, name_of_user);
}

std::string place_of(const Settings& settings, std::string_view name) {
  for (std::size_t i = 0; i < settings_table.size(); ++i) {
    if (settings_table[i].name == name) return settings.places[i];
  }
  return "no such setting";
}

TEST(Layers, go_environment_user_site_default) {
  const Files files{"cache = 1\nconnections = 1\nlane_timeout = 1\n", "cache = 2\nconnections = 2\n"};
  const Settings settings = layered(files, {"ESPALIER_CACHE=3"}).settings;
  EXPECT_EQ(settings.cache, 3);
  EXPECT_EQ(settings.connections, 2);
  EXPECT_EQ(settings.lane_timeout, 1);
  EXPECT_EQ(settings.policy, TuningPolicy::race);
  EXPECT_EQ(place_of(settings, "ESPALIER_CACHE"), "");
  EXPECT_EQ(place_of(settings, "ESPALIER_CONNECTIONS"), "user.toml:2");
  EXPECT_EQ(place_of(settings, "ESPALIER_LANE_TIMEOUT"), "site.toml:3");
}

TEST(Layers, take_what_is_said_of_this_host_before_the_rest_of_a_file) {
  const std::string site =
      "topology = \"/all\"\n[[hosts]]\nmatch = \"node[0-9]\"\ntopology = \"/first\"\n[[hosts]]\nmatch = \"node7.*\"\n"
      "topology = \"/second\"\nnics = \"ib0\"\n[[hosts]]\nmatch = \"login*\"\nnics = \"eth0\"\n";
  const Settings here = layered({site, ""}).settings;
  EXPECT_EQ(here.topology, "/first");
  EXPECT_EQ(here.nics, "ib0");
  const Settings there = layered({site, ""}, {}, {.host = "login1", .programs = {}, .user_id = ""}).settings;
  EXPECT_EQ(there.topology, "/all");
  EXPECT_EQ(there.nics, "eth0");
}

TEST(Layers, are_equal_for_all_ranks_when_their_values_are) {
  EXPECT_EQ(hash_of(layered({"cache = 9\n", ""}).settings), hash_of(layered({"", "\ncache = 9\n"}).settings));
  EXPECT_NE(hash_of(layered({"cache = 9\n", ""}).settings), hash_of(layered({"cache = 8\n", ""}).settings));
}

TEST(Layers, are_off_where_a_file_says_so_whatever_the_environment_says) {
  const auto off = [](const std::string& site, const std::string& user = "") {
    return layered({site, user}, {"ESPALIER=on"}).off;
  };
  EXPECT_EQ(off("cache = 3\nenabled = false\n"), "site.toml:2: enabled = false");
  EXPECT_EQ(off("enabled = true\n"), "");
  EXPECT_EQ(off("[off]\nprograms = [\"vasp*\", \"solve.*\"]\n"), "site.toml: [off] programs has 'solve.*'");
  EXPECT_EQ(off("[off]\nusers = [1000, 1001]\n"), "site.toml: [off] users has '1001'");
  EXPECT_EQ(off("[off]\nusers = [\"e?e\"]\n"), "site.toml: [off] users has 'e?e'");
  EXPECT_EQ(off("[off]\nusers = [\"root\"]\nprograms = [\"vasp\"]\n"), "");
  EXPECT_EQ(off("", "[off]\nprograms = [\"python3\"]\n"), "user.toml: [off] programs has 'python3'");
}

TEST(Layers, keep_to_the_limits_of_the_site) {
  const std::string site = "[limits]\nbudget = \"5%\"\ncache = 100\npolicy = [\"race\", \"estimate\"]\n";
  EXPECT_TRUE(layered({site, ""}).ok());
  EXPECT_TRUE(layered({site, ""}, {"ESPALIER_BUDGET=5%", "ESPALIER_CACHE=100"}).ok());
  EXPECT_EQ(layered({site, ""}, {"ESPALIER_BUDGET=5.1%"}).error,
            "ESPALIER_BUDGET=5.1%: beyond the site's limit; allowed: up to 5% (site.toml:2)");
  EXPECT_EQ(layered({site, "cache = 101\n"}).error,
            "user.toml:1: cache = 101: beyond the site's limit; allowed: up to 100 (site.toml:3)");
  EXPECT_EQ(layered({site, ""}, {"ESPALIER_POLICY=star"}).error,
            "ESPALIER_POLICY=star: beyond the site's limit; allowed: race or estimate (site.toml:4)");
}

TEST(Layers, refuse_a_wrong_environment_as_without_files) {
  const ParsedSettings parsed = layered({"cache = 3\n", ""}, {"ESPALIER_CACHE=0"});
  EXPECT_EQ(parsed.error, "ESPALIER_CACHE=0: out of range; allowed: 1 to 4096");
  EXPECT_FALSE(parsed.settings.enabled);
}

TEST(ThisProcess, names_the_script_of_an_interpreter) {
  EXPECT_EQ(script_in({"/usr/bin/python3.11", "-u", "/home/a/solve.py", "-x"}), "solve.py");
  EXPECT_EQ(script_in({"python", "-m", "mpi4py.bench"}), "mpi4py.bench");
  EXPECT_EQ(script_in({"python3", "-W", "error", "a.py"}), "a.py");
  EXPECT_EQ(script_in({"python3", "-c", "print()"}), "");
  EXPECT_EQ(script_in({"./app", "input.dat"}), "");
  EXPECT_EQ(script_in({}), "");
}

TEST(ThisProcess, knows_the_names_of_this_test) {
  const ThisProcess me = this_process();
  EXPECT_FALSE(me.host.empty());
  ASSERT_FALSE(me.programs.empty());
  EXPECT_EQ(me.programs[0], "test_settings");
  EXPECT_EQ(program_name(), "test_settings");
  EXPECT_FALSE(user_name().empty());
}

}  // namespace
}  // namespace espalier
