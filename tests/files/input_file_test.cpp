// SPDX-License-Identifier: Apache-2.0
#include "files/input_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace espalier {

namespace {

class InputFile : public testing::Test {
 protected:
  InputFile() { std::filesystem::create_directories(folder_); }
  ~InputFile() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const char* name) const { return folder_ / name; }
  std::string written(const char* name, const std::string& text) {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("espalier-input-file-" + std::to_string(getpid()));
};

std::string why_not(const std::string& file) {
  try {
    return "read: " + read_input_file(file);
  } catch (const UnreadableFile& error) {
    return error.what();
  }
}

TEST_F(InputFile, is_read_as_it_is) {
  const std::string text = std::string("a\0b\n", 4) + std::string(100'000, 'x');
  EXPECT_EQ(read_input_file(written("text", text)), text);
  EXPECT_EQ(read_input_file(written("empty", "")), "");
}

TEST_F(InputFile, is_read_without_a_byte_order_mark) {
  EXPECT_EQ(read_input_file(written("marked", "\xef\xbb\xbf[rails]\n\xef\xbb\xbf")), "[rails]\n\xef\xbb\xbf");
  EXPECT_EQ(read_input_file(written("mark", "\xef\xbb\xbf")), "");
}

TEST_F(InputFile, in_utf_16_is_refused) {
  EXPECT_EQ(why_not(written("wide", std::string("\xff\xfe[\0", 4))), "is UTF-16; allowed: ASCII or UTF-8");
}

TEST_F(InputFile, is_read_to_its_end_where_the_kernel_says_that_it_is_empty) {
  EXPECT_NE(read_input_file("/proc/self/status").find("VmRSS"), std::string::npos);
}

TEST_F(InputFile, that_is_not_there_is_refused) { EXPECT_EQ(why_not(path("none")), "No such file or directory"); }

TEST_F(InputFile, that_is_a_directory_is_refused) { EXPECT_EQ(why_not(path("")), "Is a directory"); }

TEST_F(InputFile, that_is_a_fifo_is_refused_without_waiting_for_a_writer) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_NE(why_not(path("fifo")).find("allowed: a regular file"), std::string::npos);
}

TEST_F(InputFile, that_is_a_device_is_refused) {
  EXPECT_NE(why_not("/dev/zero").find("allowed: a regular file"), std::string::npos);
}

TEST_F(InputFile, that_is_too_large_is_refused_before_it_is_read) {
  const std::string file = written("large", "");
  std::filesystem::resize_file(file, max_input_bytes);
  EXPECT_EQ(read_input_file(file).size(), max_input_bytes);
  std::filesystem::resize_file(file, std::uintmax_t{1} << 42);
  EXPECT_EQ(why_not(file), "too large; allowed: 64 MiB");
}

}  // namespace

}  // namespace espalier
