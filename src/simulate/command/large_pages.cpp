// SPDX-License-Identifier: Apache-2.0
#include "simulate/command/large_pages.hpp"

#include <unistd.h>

#include <cstdlib>

namespace espalier::tool {

void begin_with_large_pages(char** arguments) {
  constexpr const char* name = "GLIBC_TUNABLES";
  if (std::getenv(name) != nullptr) return;
  if (setenv(name, "glibc.malloc.hugetlb=1", 1) == 0) execv("/proc/self/exe", arguments);
}

}  // namespace espalier::tool
