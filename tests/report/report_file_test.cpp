// SPDX-License-Identifier: Apache-2.0
#include "report/report_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace espalier {
namespace {

class ReportFile : public testing::Test {
 protected:
  ReportFile() { std::filesystem::create_directory(folder_); }
  ~ReportFile() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::string text_in(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  }

 private:
  std::string folder_ = testing::TempDir() + "espalier_report_" + std::to_string(getpid());
};

TEST_F(ReportFile, never_replaces_another) {
  for (const char* text : {"first", "second", "third"}) EXPECT_EQ(write_report(path("r"), text), "");
  EXPECT_EQ(text_in("r") + text_in("r.2") + text_in("r.3"), "firstsecondthird");
}

TEST_F(ReportFile, may_be_a_device_which_gets_no_file_next_to_it) {
  EXPECT_EQ(write_report("/dev/null", "text"), "");
  EXPECT_EQ(write_report("/dev/full", "text"), "No space left on device");
  EXPECT_FALSE(std::filesystem::exists("/dev/null.2") || std::filesystem::exists("/dev/full.2"));
}

TEST_F(ReportFile, may_be_a_fifo_that_is_read) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  const int reader = open(path("fifo").c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_EQ(write_report(path("fifo"), "text"), "");
  char text[8] = {};
  EXPECT_EQ(read(reader, text, sizeof text), 4);
  EXPECT_STREQ(text, "text");
  close(reader);
}

TEST_F(ReportFile, that_would_be_too_long_is_an_error_and_leaves_nothing) {
  rlimit former{};
  getrlimit(RLIMIT_FSIZE, &former);
  const rlimit tight{.rlim_cur = 2, .rlim_max = former.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  EXPECT_EQ(write_report(path("r"), "text"), "File too large");
  setrlimit(RLIMIT_FSIZE, &former);
  EXPECT_EQ(files(), 0);
}

TEST_F(ReportFile, does_not_wait_for_the_reader_of_a_fifo) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(write_report(path("fifo"), "text"), "No such device or address");
  EXPECT_EQ(files(), 1);
}

TEST_F(ReportFile, is_no_directory) {
  EXPECT_EQ(write_report(path(""), "text"), "it is a directory; allowed: the name of a file");
  EXPECT_EQ(files(), 0);
}

TEST_F(ReportFile, says_why_it_could_not_be_written) {
  EXPECT_EQ(write_report(path("nowhere/r"), "text"), "No such file or directory");
}

}  // namespace
}  // namespace espalier
