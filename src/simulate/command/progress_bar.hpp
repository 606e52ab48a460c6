// SPDX-License-Identifier: Apache-2.0
// The progress of a long simulation: a line on the terminal, if standard error is one.
#pragma once

#include <cstdint>
#include <string>

namespace espalier::tool {

class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const std::string& what, std::uint64_t done, std::uint64_t all);

 private:
  void clear() const;

  bool is_terminal_;
  std::size_t shown_ = 0;  // characters
};

}  // namespace espalier::tool
