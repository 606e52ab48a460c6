// SPDX-License-Identifier: Apache-2.0
#include "settings/settings.hpp"

#include <gtest/gtest.h>

#include "settings/table.hpp"

namespace espalier {
namespace {

ParsedSettings parse(std::initializer_list<const char*> environment) {
  return parse_settings({environment.begin(), environment.size()});
}

std::string error_of(const char* variable) {
  const ParsedSettings parsed = parse({variable});
  EXPECT_FALSE(parsed.ok());
  EXPECT_FALSE(parsed.settings.enabled) << "with a bad setting everything goes to the native MPI";
  return parsed.error;
}

TEST(Settings, are_the_defaults_when_the_environment_has_none) {
  const ParsedSettings parsed = parse({"PATH=/bin", "ESPALIERX=1", "MY_ESPALIER=off"});
  ASSERT_TRUE(parsed.ok()) << parsed.error;
  const Settings& settings = parsed.settings;
  EXPECT_TRUE(settings.enabled);
  EXPECT_TRUE(settings.algorithms.empty());
  EXPECT_EQ(settings.reproducible, Reproducible::run);
  EXPECT_TRUE(settings.report.empty());
  EXPECT_TRUE(settings.arrival);
  EXPECT_EQ(settings.cache, 64);
  EXPECT_EQ(settings.transport, TransportWanted::automatic);
  EXPECT_FALSE(settings.device);
  EXPECT_EQ(settings.verbose, Verbosity());
  EXPECT_TRUE(settings.log_dir.empty());
  EXPECT_EQ(settings.log_mode, "0600");
  EXPECT_EQ(settings.log_content, LogContent::everything);
  EXPECT_FALSE(settings.stats);
  EXPECT_FALSE(settings.reports());
  EXPECT_EQ(settings.site_file, "auto");
  for (const Origin origin : settings.origins) EXPECT_EQ(origin, Origin::default_value);
}

TEST(Settings, are_read_from_the_environment) {
  const ParsedSettings parsed = parse({"ESPALIER=off",
                                       "ESPALIER_ALGORITHM=bcast:chain",
                                       "ESPALIER_POLICY=star",
                                       "ESPALIER_BUDGET=0.5%",
                                       "ESPALIER_REPRODUCIBLE=native",
                                       "ESPALIER_ARRIVAL=off",
                                       "ESPALIER_MEMORY=some/where",
                                       "ESPALIER_MEMORY_TRUST=group",
                                       "ESPALIER_SITE_MEMORY=/etc/espalier",
                                       "ESPALIER_REPORT=/tmp/run=1",
                                       "ESPALIER_CACHE=7",
                                       "ESPALIER_TOPOLOGY=m.toml",
                                       "ESPALIER_TRANSPORT=fabric",
                                       "ESPALIER_SHARED_MEMORY=on",
                                       "ESPALIER_FIRST_CALLS=70",
                                       "ESPALIER_NICS=e0,e1",
                                       "ESPALIER_CONNECTIONS=3",
                                       "ESPALIER_LANE_TIMEOUT=5",
                                       "ESPALIER_PACKER=bottomleft(4)",
                                       "ESPALIER_AGGREGATION=never",
                                       "ESPALIER_PERSISTENT=paired",
                                       "ESPALIER_DEVICE=yes",
                                       "ESPALIER_VERBOSE=1",
                                       "ESPALIER_VERBOSE_FILE=/tmp/said.%pid",
                                       "ESPALIER_REPORT_SITES=1",
                                       "ESPALIER_MPI_T=timed",
                                       "ESPALIER_LOG_DIR=/var/log/%Y",
                                       "ESPALIER_LOG_MODE=0640",
                                       "ESPALIER_LOG_CONTENT=no-user",
                                       "ESPALIER_STATS=1",
                                       "ESPALIER_SITE_FILE=/etc/a.toml",
                                       "ESPALIER_RUN=some words"});
  ASSERT_TRUE(parsed.ok()) << parsed.error;
  const Settings& settings = parsed.settings;
  EXPECT_FALSE(settings.enabled);
  EXPECT_EQ(format_choices(settings.algorithms), "bcast:chain");
  EXPECT_EQ(settings.policy, TuningPolicy::star);
  EXPECT_EQ(settings.budget_percent, .5);
  EXPECT_EQ(settings.reproducible, Reproducible::native);
  EXPECT_FALSE(settings.arrival);
  EXPECT_EQ(settings.memory, "some/where");
  EXPECT_EQ(settings.memory_trust, Trust::group);
  EXPECT_EQ(settings.site_memory, "/etc/espalier");
  EXPECT_EQ(settings.report, "/tmp/run=1");
  EXPECT_EQ(settings.cache, 7);
  EXPECT_EQ(settings.topology, "m.toml");
  EXPECT_EQ(settings.transport, TransportWanted::fabric);
  EXPECT_TRUE(settings.shared_memory);
  EXPECT_EQ(settings.first_calls, 70);
  EXPECT_EQ(settings.nics, "e0,e1");
  EXPECT_EQ(settings.connections, 3);
  EXPECT_EQ(settings.lane_timeout, 5);
  EXPECT_EQ(settings.packer, "bottomleft(4)");
  EXPECT_EQ(settings.aggregation, "never");
  EXPECT_TRUE(settings.paired);
  EXPECT_TRUE(settings.device);
  EXPECT_TRUE(settings.verbose.wants(Topic::start, Level::info));
  EXPECT_EQ(settings.verbose_file, "/tmp/said.%pid");
  EXPECT_TRUE(settings.report_sites);
  EXPECT_EQ(settings.mpi_t, ToolVariables::timed);
  EXPECT_EQ(settings.log_dir, "/var/log/%Y");
  EXPECT_EQ(settings.log_mode, "0640");
  EXPECT_EQ(settings.log_content, LogContent::no_user);
  EXPECT_TRUE(settings.stats);
  EXPECT_EQ(settings.site_file, "/etc/a.toml");
  EXPECT_EQ(settings.run, "some words");
  for (const Origin origin : settings.origins) EXPECT_EQ(origin, Origin::environment);
}

TEST(Settings, take_the_first_of_two_variables_of_one_name) {
  EXPECT_EQ(parse({"ESPALIER_CACHE=7", "ESPALIER_CACHE=8"}).settings.cache, 7);
}

TEST(Settings, are_refused_when_a_value_is_malformed) {
  EXPECT_EQ(error_of("ESPALIER=maybe"), "ESPALIER=maybe: not known; allowed: off or on");
  for (const std::string budget : {"1", "101%", "-1%", "1e1%", "%", "nan%", "1.5.2%"}) {
    EXPECT_NE(error_of(("ESPALIER_BUDGET=" + budget).c_str()).find("; allowed: 0% to 100%"), std::string::npos)
        << budget;
  }
  EXPECT_EQ(error_of("ESPALIER="), "ESPALIER=: not known; allowed: off or on");
  EXPECT_EQ(error_of("ESPALIER_REPRODUCIBLE=yes"), "ESPALIER_REPRODUCIBLE=yes: not known; allowed: run, off or native");
  EXPECT_EQ(error_of("ESPALIER_CACHE=abc"), "ESPALIER_CACHE=abc: not a whole number; allowed: 1 to 4096");
  EXPECT_EQ(error_of("ESPALIER_CACHE=-1"), "ESPALIER_CACHE=-1: not a whole number; allowed: 1 to 4096");
  EXPECT_EQ(error_of("ESPALIER_CACHE=0"), "ESPALIER_CACHE=0: out of range; allowed: 1 to 4096");
  EXPECT_EQ(error_of("ESPALIER_CACHE=99999999999999999999"),
            "ESPALIER_CACHE=99999999999999999999: not a whole number; allowed: 1 to 4096");
  EXPECT_EQ(error_of("ESPALIER_ALGORITHM=bcast:chain,window=9999"),
            "ESPALIER_ALGORITHM=bcast:chain,window=9999: window=9999; allowed: 1 to 4096");
}

TEST(Settings, are_refused_when_a_name_is_unknown) {
  EXPECT_EQ(error_of("ESPALIER_ALGORITM=bcast:chain"),
            "ESPALIER_ALGORITM: no such setting; did you mean ESPALIER_ALGORITHM?");
  const std::string error = error_of("ESPALIER_COLOUR_OF_TREES=green");
  EXPECT_TRUE(error.starts_with("ESPALIER_COLOUR_OF_TREES: no such setting; allowed: ESPALIER, ESPALIER_ALGORITHM"))
      << error;
}

TEST(SettingsHash, is_equal_when_the_settings_mean_the_same) {
  const auto hash = [](std::initializer_list<const char*> environment) { return hash_of(parse(environment).settings); };
  EXPECT_EQ(hash({}), hash({"ESPALIER_CACHE=64"}));
  EXPECT_EQ(hash({"ESPALIER_ALGORITHM=bcast:chain,segment=16KiB;reduce:native"}),
            hash({"ESPALIER_ALGORITHM=reduce:native;bcast:chain,segment=16384"}));
  EXPECT_NE(hash({}), hash({"ESPALIER_CACHE=65"}));
  EXPECT_NE(hash({}), hash({"ESPALIER=nonsense"}));
}

TEST(SettingsTable, has_a_default_that_its_own_parser_accepts_and_writes) {
  const Settings defaults;
  for (const Setting& setting : settings_table) {
    Settings settings;
    EXPECT_EQ(assign(setting, setting.default_text, settings), "") << setting.name;
    EXPECT_EQ(value_text(setting, defaults), setting.default_text);
    EXPECT_FALSE(setting.description.empty());
  }
}

TEST(ProcessEnvironment, holds_what_was_set) {
  ASSERT_EQ(setenv("ESPALIER_CACHE", "9", 1), 0);
  EXPECT_EQ(parse_settings(process_environment()).settings.cache, 9);
  ASSERT_EQ(unsetenv("ESPALIER_CACHE"), 0);
}

}  // namespace
}  // namespace espalier
