// SPDX-License-Identifier: Apache-2.0
#include "shared/memory.hpp"

#include <unistd.h>

#include <fstream>

namespace espalier::apps {

std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace espalier::apps
