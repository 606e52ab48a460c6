// SPDX-License-Identifier: Apache-2.0
#include "tool.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace espalier {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

Outcome run_tool(const std::string& arguments, const std::vector<std::string>& settings) {
  const std::string stem = testing::TempDir() + "espalier_tool_" + std::to_string(::getpid());
  std::string command = "env -i";
  for (const std::string& setting : settings) command += " '" + setting + "'";
  command += " " ESPALIER_TOOL " " + arguments + " >" + stem + ".out 2>" + stem + ".err";
  const int status = std::system(command.c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(stem + ".out"), read_file(stem + ".err")};
  std::remove((stem + ".out").c_str());
  std::remove((stem + ".err").c_str());
  return outcome;
}

}  // namespace espalier
