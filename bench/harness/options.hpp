// SPDX-License-Identifier: Apache-2.0
// The options of a program, "--name value --other value": a table of what becomes of their values.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace bench {

// Takes an option's value. Throws std::exception if it is none.
using Take = std::function<void(const std::string& value)>;

// Throws std::invalid_argument with the option's name.
void read_options(int argc, char** argv, const std::map<std::string, Take>& options);

// Takes values of these types; what is written to outlives the reading.
[[nodiscard]] Take into(std::string& text);
[[nodiscard]] Take into(int& number);
[[nodiscard]] Take into(long& number);
[[nodiscard]] Take into(std::size_t& number);
[[nodiscard]] Take into(double& number);
// "8,1024"
[[nodiscard]] Take into(std::vector<int>& numbers);
[[nodiscard]] Take into(std::vector<std::size_t>& numbers);
// "native;espalier:ring,segment=8KiB"
[[nodiscard]] Take into(std::vector<std::string>& names);

}  // namespace bench
