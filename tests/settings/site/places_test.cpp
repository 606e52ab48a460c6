// SPDX-License-Identifier: Apache-2.0
#include "settings/site/places.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/bad_description.hpp"
#include "files/input_file.hpp"

namespace espalier {
namespace {

namespace fs = std::filesystem;

class Places : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/espalier-site-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    path_ = name;
    setenv("XDG_CONFIG_HOME", (path_ + "/config").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CONFIG_HOME");
    fs::remove_all(path_);
  }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path_ + "/" + name).parent_path());
    std::ofstream(path_ + "/" + name) << text;
  }
  [[nodiscard]] std::string site() const { return path_ + "/site/espalier.toml"; }
  [[nodiscard]] std::string error() const {
    try {
      (void)find_settings_files(site());
    } catch (const std::exception& bad) {
      return bad.what();
    }
    return "no error";
  }

  std::string path_;
};

TEST_F(Places, hold_the_file_of_the_site_and_of_the_user) {
  write("site/espalier.toml", "cache = 3\n");
  write("config/espalier/espalier.toml", "cache = 4\n");
  const FoundSettingsFiles found = find_settings_files(site());
  ASSERT_TRUE(found.site && found.user);
  EXPECT_EQ(found.site->name, site());
  EXPECT_EQ(found.user->name, path_ + "/config/espalier/espalier.toml");
  EXPECT_FALSE(find_settings_files("").site);
  EXPECT_TRUE(find_settings_files("").user);
}

TEST_F(Places, are_looked_for_next_to_the_installation_after_etc) {
  const std::vector<std::string> places = site_places("auto");
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0], "/etc/espalier/espalier.toml");
  EXPECT_TRUE(places[1].ends_with("/etc/espalier/espalier.toml")) << places[1];
}

TEST_F(Places, switch_all_off_by_a_file_next_to_that_of_the_site_which_is_not_read_then) {
  write("site/espalier.toml", "nonsense\n");
  write("site/off", "");
  EXPECT_EQ(find_settings_files(site()).off, path_ + "/site/off");
}

TEST_F(Places, must_hold_what_is_named) {
  EXPECT_EQ(error(), site() + ": No such file or directory");
  EXPECT_THROW((void)find_settings_files("site.toml"), UnreadableFile);
}

TEST_F(Places, are_refused_where_others_may_write) {
  write("site/espalier.toml", "cache = 3\n");
  chmod(site().c_str(), 0666);
  EXPECT_NE(error().find("mode 0666"), std::string::npos) << error();
  chmod(site().c_str(), 0644);
  chmod((path_ + "/site").c_str(), 0777);
  EXPECT_NE(error().find("mode 0777"), std::string::npos) << error();
  chmod((path_ + "/site").c_str(), 0755);
  EXPECT_EQ(error(), "no error");
}

TEST_F(Places, are_refused_when_they_belong_to_another_user) {
  if (geteuid() != 0) GTEST_SKIP() << "takes root";
  write("site/espalier.toml", "cache = 3\n");
  ASSERT_EQ(chown(site().c_str(), 65534, 65534), 0);
  EXPECT_NE(error().find("of user 65534"), std::string::npos) << error();
}

TEST_F(Places, are_refused_when_they_are_links_directories_or_pipes) {
  write("other.toml", "cache = 3\n");
  fs::create_directories(path_ + "/site");
  fs::create_symlink(path_ + "/other.toml", site());
  EXPECT_EQ(error(), site() + ": a link; allowed: a regular file");
  fs::remove(site());
  ASSERT_EQ(mkfifo(site().c_str(), 0600), 0);
  EXPECT_EQ(error(), site() + ": a FIFO or a device; allowed: a regular file");
  fs::remove(site());
  fs::create_directories(site());
  EXPECT_EQ(error(), site() + ": Is a directory");
}

TEST_F(Places, are_refused_when_they_are_too_large) {
  write("site/espalier.toml", std::string((1 << 20) + 1, '#'));
  EXPECT_EQ(error(), site() + ": too large; allowed: 1 MiB");
}

}  // namespace
}  // namespace espalier
