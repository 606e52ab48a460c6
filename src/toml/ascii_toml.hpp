// SPDX-License-Identifier: Apache-2.0
// What of a text is shown to toml++: version 3.3 looks up characters beyond ASCII in tables that lack some, which is
// undefined behaviour (its issues 190 and 295). Names of hosts have none; comments may.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

// The text with blanks for its comments; lines and columns stay. Throws BadDescription where anything but a comment
// holds other characters than ASCII.
[[nodiscard]] std::string ascii_toml(std::string_view text, const std::string& file);

}  // namespace espalier
