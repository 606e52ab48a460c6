// SPDX-License-Identifier: Apache-2.0
// The words of a program's command line: "--name value --other value".
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

// Calls take(name, value) for each; it returns whether there is such an option. Throws std::invalid_argument.
void for_each_option(int argc, char** argv,
                     const std::function<bool(const std::string& name, const std::string& value)>& take);

[[nodiscard]] std::vector<std::string> split(const std::string& text, char separator);
// "8,1024"
[[nodiscard]] std::vector<std::size_t> sizes_in(const std::string& text);

}  // namespace bench
