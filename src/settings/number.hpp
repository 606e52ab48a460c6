// SPDX-License-Identifier: Apache-2.0
// Numbers and sizes as users write them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

// Decimal digits only: no sign, no blanks.
[[nodiscard]] std::optional<std::size_t> parse_number(std::string_view text);

// Decimal digits, and at most one point.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text);
// The shortest form that parse_decimal() reads back.
[[nodiscard]] std::string format_decimal(double number);

// A whole number of bytes, or of KiB, MiB or GiB. "64k" is refused: some mean 64000 by it.
[[nodiscard]] std::optional<std::size_t> parse_size(std::string_view text);

// The shortest form that parse_size() reads back: 65536 -> "64KiB", 1000 -> "1000".
[[nodiscard]] std::string format_size(std::size_t bytes);

}  // namespace espalier
