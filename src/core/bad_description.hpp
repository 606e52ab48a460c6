// SPDX-License-Identifier: Apache-2.0
// What a reader throws at a text that it does not understand.
#pragma once

#include <stdexcept>
#include <string>

namespace espalier {

// "machine.toml:3: ...". The text says what is wrong and what is allowed.
struct BadDescription : std::runtime_error {
  using std::runtime_error::runtime_error;
  BadDescription(const std::string& file, int line, const std::string& what)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + what) {}
};

}  // namespace espalier
