// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "algorithms/algorithm.hpp"
#include "settings/table.hpp"
#include "tool.hpp"

namespace espalier {
namespace {

TEST(Info, says_of_every_setting_what_it_is_and_where_that_came_from) {
  const auto answer = run_tool("info --json", {"ESPALIER_CACHE=7"}).json();
  EXPECT_FALSE(answer["version"].get<std::string>().empty());
  ASSERT_EQ(answer["settings"].size(), settings_table.size());
  for (const auto& setting : answer["settings"]) {
    const bool is_set = setting["name"] == "ESPALIER_CACHE";
    EXPECT_EQ(setting["origin"], is_set ? "environment" : "default");
    EXPECT_EQ(setting["value"], is_set ? "7" : setting["default"].get<std::string>());
  }
}

// The site's file, with nothing else in its directory.
class SiteFile {
 public:
  explicit SiteFile(const std::string& text) {
    char name[] = "/tmp/espalier-info-XXXXXX";
    folder_ = mkdtemp(name);
    std::ofstream(path()) << text;
  }
  ~SiteFile() { std::filesystem::remove_all(folder_); }
  SiteFile(const SiteFile&) = delete;
  SiteFile& operator=(const SiteFile&) = delete;
  [[nodiscard]] std::string path() const { return folder_ + "/espalier.toml"; }
  [[nodiscard]] std::string folder() const { return folder_; }
  [[nodiscard]] std::string setting() const { return "ESPALIER_SITE_FILE=" + path(); }

 private:
  std::string folder_;
};

TEST(Info, says_from_which_line_of_which_file_a_setting_is) {
  const SiteFile site("cache = 7\n[[hosts]]\nmatch = \"fat*\"\ntopology = \"/fat.toml\"\n");
  const auto answer = run_tool("info --json --host fat9.cluster", {site.setting()}).json();
  EXPECT_EQ(answer["files"], nlohmann::json::array({site.path()}));
  EXPECT_EQ(answer["off"], "");
  std::map<std::string, std::string> places;
  for (const auto& setting : answer["settings"]) places[setting["name"]] = setting["place"];
  EXPECT_EQ(places["ESPALIER_CACHE"], site.path() + ":1");
  EXPECT_EQ(places["ESPALIER_TOPOLOGY"], site.path() + ":4");
  EXPECT_EQ(places["ESPALIER_POLICY"], "");
  const std::string elsewhere = run_tool("info --host thin9", {site.setting()}).output;
  EXPECT_NE(elsewhere.find("settings from " + site.path()), std::string::npos) << elsewhere;
  EXPECT_NE(elsewhere.find(" site:1 "), std::string::npos) << elsewhere;
  EXPECT_EQ(elsewhere.find("/fat.toml"), std::string::npos) << elsewhere;
}

TEST(Info, says_what_switches_all_off_and_what_is_wrong_in_a_file) {
  const SiteFile site("cache = 0\n");
  EXPECT_EQ(run_tool("info", {site.setting()}).errors,
            "espalier-tool: " + site.path() + ":1: cache = 0: out of range; allowed: 1 to 4096\n");
  std::ofstream(site.folder() + "/off") << "";
  EXPECT_NE(run_tool("info", {site.setting()}).output.find("off: " + site.folder() + "/off\n"), std::string::npos);
}

TEST(Info, reads_as_a_table) {
  const Outcome outcome = run_tool("info", {"ESPALIER_ALGORITHM=bcast:chain,segment=16384"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("ESPALIER_ALGORITHM      bcast:chain,segment=16KiB  environment  "), std::string::npos)
      << outcome.output;
}

TEST(Info, is_refused_when_a_setting_is_bad) {
  const Outcome outcome = run_tool("info", {"ESPALIER_CACHE=abc"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.errors, "espalier-tool: ESPALIER_CACHE=abc: not a whole number; allowed: 1 to 4096\n");
  EXPECT_EQ(run_tool("info", {"ESPALIER_ALGORITHM=bcast:nonsense"}).status, 2);
  EXPECT_EQ(run_tool("info", {"ESPALIER_NONSENSE=1"}).status, 2);
}

TEST(Info, reads_the_description_of_the_machine_if_asked_to) {
  EXPECT_EQ(run_tool("info", {"ESPALIER_TOPOLOGY=/nowhere.toml"}).status, 0);
  const Outcome outcome = run_tool("info --check", {"ESPALIER_TOPOLOGY=/nowhere.toml"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.errors,
            "espalier-tool: ESPALIER_TOPOLOGY /nowhere.toml: cannot be read: No such file or directory\n");
  EXPECT_EQ(run_tool("info --check", {"ESPALIER_TOPOLOGY=" ESPALIER_STORED_MACHINES "/ring.toml"}).status, 0);
  EXPECT_EQ(run_tool("info --check").status, 0);
}

TEST(Algorithms, lists_the_whole_registry) {
  const auto answer = run_tool("algorithms --json").json();
  ASSERT_EQ(answer["algorithms"].size(), registry().size());
  for (std::size_t k = 0; k < registry().size(); ++k) {
    EXPECT_EQ(answer["algorithms"][k]["name"], registry()[k].name);
    EXPECT_NE(run_tool("algorithms").output.find(registry()[k].description), std::string::npos);
  }
}

TEST(Tool, says_what_is_wrong_with_a_command_line_and_ends_with_status_2) {
  for (const char* arguments : {"", "nonsense", "draw", "info --nonsense", "verify", "verify bcast:nonsense",
                                "explain nonsense", "draw bcast:chain --ranks 0", "mutate"}) {
    const Outcome outcome = run_tool(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.output, "") << arguments;
    EXPECT_NE(outcome.errors, "") << arguments;
  }
  EXPECT_EQ(run_tool("--help").status, 0);
  EXPECT_EQ(run_tool("--version").status, 0);
}

}  // namespace
}  // namespace espalier
