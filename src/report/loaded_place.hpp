// SPDX-License-Identifier: Apache-2.0
// What an address in this process stands for in any process: a place in a file.
#pragma once

#include <cstdint>
#include <string>

namespace espalier {

struct LoadedPlace {
  std::string object;        // the file's path; empty: code that was made at run time
  std::uint64_t offset = 0;  // the address that the file itself gives it
  std::string symbol;        // the function by the file's dynamic symbols, as people write it; empty: it has none there
};

// Asks the loader, which takes its lock. `address`: where a call returns to.
[[nodiscard]] LoadedPlace place_of_return(const void* address);

}  // namespace espalier
