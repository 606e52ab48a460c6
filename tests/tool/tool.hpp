// SPDX-License-Identifier: Apache-2.0
// Runs espalier-tool as a user would.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace espalier {

struct Outcome {
  int status = 0;
  std::string output;  // standard output
  std::string errors;  // standard error

  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(output); }
};

// `settings`: "NAME=value" strings; no other ESPALIER_* variable is set.
[[nodiscard]] Outcome run_tool(const std::string& arguments, const std::vector<std::string>& settings = {});

[[nodiscard]] std::string read_file(const std::string& path);

}  // namespace espalier
