// SPDX-License-Identifier: Apache-2.0
#include "core/printable.hpp"

#include <algorithm>

#include "target.hpp"

namespace espalier::fuzz {
namespace {

bool is_control(char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f; }

void run(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t bytes = first_character(rest).bytes;
    require(bytes >= 1 && bytes <= std::min<std::size_t>(rest.size(), 4), "a character of no bytes, or too many");
    rest.remove_prefix(bytes);
  }
  const std::string shown = printable(text), lines = printable_lines(text);
  require(std::ranges::none_of(shown, is_control), "a control character is shown");
  require(printable(shown) == shown && printable_lines(lines) == lines, "what can be shown is shown otherwise");
  require(std::ranges::count(lines, '\n') == std::ranges::count(text, '\n'), "lines are lost");
}

const Registration registration("printable", run);

}  // namespace
}  // namespace espalier::fuzz
