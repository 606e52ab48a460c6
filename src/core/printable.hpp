// SPDX-License-Identifier: Apache-2.0
// Text from elsewhere, made fit for a terminal: files name nodes, and environments hold paths.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace espalier {

struct Character {
  std::size_t bytes = 1;
  bool is_text = false;  // valid UTF-8, and no control character
};

// The first character of a text that is not empty.
[[nodiscard]] Character first_character(std::string_view text);

// Control characters and what is not UTF-8 as "\x1b"; all else as it is.
[[nodiscard]] std::string printable(std::string_view text);
// The same, but lines may end.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace espalier
