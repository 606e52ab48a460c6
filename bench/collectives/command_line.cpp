// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <sstream>
#include <stdexcept>

namespace bench {

void for_each_option(int argc, char** argv,
                     const std::function<bool(const std::string& name, const std::string& value)>& take) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) throw std::invalid_argument(name + ": needs a value");
    if (!take(name, argv[i + 1])) throw std::invalid_argument(name + ": unknown option");
  }
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<std::size_t> sizes_in(const std::string& text) {
  std::vector<std::size_t> sizes;
  for (const std::string& part : split(text, ',')) sizes.push_back(std::stoul(part));
  return sizes;
}

}  // namespace bench
