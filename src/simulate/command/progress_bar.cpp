// SPDX-License-Identifier: Apache-2.0
#include "simulate/command/progress_bar.hpp"

#include <unistd.h>

#include <cstdio>

namespace espalier::tool {

namespace {

constexpr std::size_t width = 24;

}  // namespace

ProgressBar::ProgressBar() : is_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() const {
  if (shown_ > 0) std::fprintf(stderr, "\r%*s\r", static_cast<int>(shown_), "");
}

void ProgressBar::show(const std::string& what, std::uint64_t done, std::uint64_t all) {
  if (!is_terminal_ || all == 0) return;
  const std::size_t full = width * done / all;
  std::string line = "[" + std::string(full, '#') + std::string(width - full, ' ') + "] " + what;
  clear();
  std::fprintf(stderr, "\r%s", line.c_str());
  std::fflush(stderr);
  shown_ = line.size();
}

}  // namespace espalier::tool
