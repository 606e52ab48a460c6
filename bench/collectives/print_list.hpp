// SPDX-License-Identifier: Apache-2.0
// A further member of a JSON object: numbers.
#pragma once

#include <cstdio>
#include <vector>

namespace bench {

inline void print_list(const char* name, const std::vector<double>& numbers) {
  std::printf(", \"%s\": [", name);
  for (std::size_t k = 0; k < numbers.size(); ++k) std::printf("%s%.6g", k == 0 ? "" : ", ", numbers[k]);
  std::printf("]");
}

}  // namespace bench
