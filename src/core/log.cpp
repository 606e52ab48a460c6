// SPDX-License-Identifier: Apache-2.0
#include "core/log.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>

namespace espalier {

void log_line_of(const char* format, std::va_list arguments) {
  char line[4096] = "espalier: ";
  constexpr std::size_t prefix = 10;
  constexpr std::size_t space = std::size(line) - prefix - 1;  // the line's end takes the place of the text's
  const int length = std::vsnprintf(line + prefix, space + 1, format, arguments);
  const std::size_t end = prefix + std::min(static_cast<std::size_t>(std::max(length, 0)), space);
  line[end] = '\n';
  std::fwrite(line, 1, end + 1, stderr);
}

void log_line(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  log_line_of(format, arguments);
  va_end(arguments);
}

}  // namespace espalier
