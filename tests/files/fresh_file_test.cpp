// SPDX-License-Identifier: Apache-2.0
#include "files/fresh_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace espalier {
namespace {

namespace fs = std::filesystem;

class FreshFiles : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/espalier-fresh-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    path_ = name;
    former_ = umask(022);
  }
  void TearDown() override {
    umask(former_);
    fs::remove_all(path_);
  }

  [[nodiscard]] std::string write(std::vector<DirectoryStep> below, const FreshFile& how = {}) const {
    std::vector<DirectoryStep> steps = {{"tmp", true}, {path_.substr(5), true}};
    steps.insert(steps.end(), below.begin(), below.end());
    return write_fresh(steps, how, ".json", "text\n");
  }
  [[nodiscard]] mode_t mode_of(const std::string& name) const {
    struct stat facts {};
    return stat((path_ + "/" + name).c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
  }
  [[nodiscard]] std::vector<fs::path> files(const std::string& name = "") const {
    std::vector<fs::path> found;
    for (const auto& one : fs::directory_iterator(path_ + "/" + name)) found.push_back(one.path());
    return found;
  }

  std::string path_;
  mode_t former_ = 0;
};

TEST_F(FreshFiles, are_made_with_their_directories_and_modes_whatever_the_umask) {
  umask(077);
  EXPECT_EQ(write({{"a", false, true}, {"b", false, true}}, {.mode = 0640, .mode_of_own_directories = 0750}), "");
  EXPECT_EQ(mode_of("a"), 0750u);
  EXPECT_EQ(mode_of("a/b"), 0750u);
  const auto found = files("a/b");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(mode_of("a/b/" + found[0].filename().string()), 0640u);
  std::ifstream file(found[0]);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "text");
}

TEST_F(FreshFiles, are_for_their_user_alone_by_default) {
  EXPECT_EQ(write({}), "");
  EXPECT_EQ(mode_of(files()[0].filename().string()), 0600u);
}

TEST_F(FreshFiles, share_directories_as_the_one_above_is_shared) {
  chmod(path_.c_str(), 01777);
  EXPECT_EQ(write({{"2026"}, {"11"}, {"me", false, true}}), "");
  EXPECT_EQ(mode_of("2026"), 01777u);
  EXPECT_EQ(mode_of("2026/11"), 01777u);
  EXPECT_EQ(mode_of("2026/11/me"), 0700u);
  EXPECT_EQ(files("2026").size(), 1u) << "nothing else is left there";
}

TEST_F(FreshFiles, are_all_there_when_many_make_the_same_directories_at_once) {
  chmod(path_.c_str(), 01777);
  std::vector<std::thread> writers;
  std::vector<std::string> errors(16);
  for (int i = 0; i < 16; ++i) {
    writers.emplace_back([&, i] {
      for (int times = 0; times < 20; ++times) errors[i] += write({{std::to_string(times)}, {"x"}});
    });
  }
  for (std::thread& one : writers) one.join();
  for (const std::string& error : errors) EXPECT_EQ(error, "");
  EXPECT_EQ(files().size(), 20u);
  for (int times = 0; times < 20; ++times) EXPECT_EQ(files(std::to_string(times) + "/x").size(), 16u);
}

TEST_F(FreshFiles, go_through_no_link_that_a_pattern_led_to) {
  fs::create_directories(path_ + "/elsewhere");
  fs::create_directory_symlink(path_ + "/elsewhere", path_ + "/2026");
  EXPECT_EQ(write({{"2026"}}), path_ + "/2026: a link; allowed: a directory");
  EXPECT_TRUE(files("elsewhere").empty());
  EXPECT_EQ(write({{"2026", true}}), "");
  EXPECT_EQ(files("elsewhere").size(), 1u) << "one of the user's own is followed where the user named it";
}

TEST_F(FreshFiles, go_through_no_link_of_another_user) {
  if (geteuid() != 0) GTEST_SKIP() << "takes root";
  fs::create_directories(path_ + "/elsewhere");
  fs::create_directory_symlink(path_ + "/elsewhere", path_ + "/2026");
  ASSERT_EQ(lchown((path_ + "/2026").c_str(), 65534, 65534), 0);
  EXPECT_EQ(write({{"2026", true}}), path_ + "/2026: a link of another user; allowed: a directory");
}

TEST_F(FreshFiles, are_not_put_into_a_directory_that_another_user_has_taken) {
  if (geteuid() != 0) GTEST_SKIP() << "takes root";
  fs::create_directories(path_ + "/me");
  ASSERT_EQ(chown((path_ + "/me").c_str(), 65534, 65534), 0);
  EXPECT_EQ(write({{"me", false, true}}), path_ + "/me: of another user; allowed: a directory of this user or root");
  EXPECT_EQ(write({{"me"}}), "") << "one that all share may be of anybody";
}

TEST_F(FreshFiles, are_an_error_where_they_cannot_be) {
  std::ofstream(path_ + "/file") << "x";
  EXPECT_EQ(write({{"file"}}), path_ + "/file: Not a directory");
  EXPECT_EQ(write({{"file"}, {"deeper"}}), path_ + "/file/deeper: Not a directory");
}

}  // namespace
}  // namespace espalier
