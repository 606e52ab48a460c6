// SPDX-License-Identifier: Apache-2.0
#include "packets.hpp"

#include <fstream>
#include <limits>
#include <string>

namespace bench {

// After two lines of titles, a line for each interface: its name, and numbers.
double packets_sent() {
  constexpr int numbers_before = 9;
  constexpr std::streamsize rest_of_line = std::numeric_limits<std::streamsize>::max();
  double all = 0;
  std::ifstream file("/proc/net/dev");
  file.ignore(rest_of_line, '\n').ignore(rest_of_line, '\n');
  for (std::string name; std::getline(file >> std::ws, name, ':'); file.ignore(rest_of_line, '\n')) {
    double number = 0;
    for (int k = 0; k <= numbers_before; ++k) file >> number;
    if (name != "lo") all += number;
  }
  return all;
}

}  // namespace bench
