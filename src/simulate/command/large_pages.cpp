// SPDX-License-Identifier: Apache-2.0
#include "simulate/command/large_pages.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace espalier::tool {

void begin_with_large_pages(char** arguments) {
  constexpr const char* name = "GLIBC_TUNABLES";
  if (std::getenv(name) != nullptr) return;
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  if (!unknown && setenv(name, "glibc.malloc.hugetlb=1", 1) == 0) execv(program.c_str(), arguments);
}

}  // namespace espalier::tool
