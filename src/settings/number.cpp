// SPDX-License-Identifier: Apache-2.0
#include "settings/number.hpp"

#include <charconv>
#include <iterator>
#include <limits>

namespace espalier {

namespace {

struct ByteUnit {
  std::string_view name;
  unsigned shift;
};
constexpr ByteUnit units[] = {{"GiB", 30}, {"MiB", 20}, {"KiB", 10}};

}  // namespace

std::optional<std::size_t> parse_number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_decimal(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789.") != text.npos) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string format_decimal(double number) {
  char text[64];
  const auto [end, error] = std::to_chars(std::begin(text), std::end(text), number, std::chars_format::fixed);
  return error == std::errc{} ? std::string(std::begin(text), end) : std::to_string(number);
}

std::optional<std::size_t> parse_size(std::string_view text) {
  for (const ByteUnit& unit : units) {
    if (!text.ends_with(unit.name)) continue;
    const auto value = parse_number(text.substr(0, text.size() - unit.name.size()));
    if (!value || *value > std::numeric_limits<std::size_t>::max() >> unit.shift) return std::nullopt;
    return *value << unit.shift;
  }
  return parse_number(text);
}

std::string format_size(std::size_t bytes) {
  for (const ByteUnit& unit : units) {
    const std::size_t one = std::size_t{1} << unit.shift;
    if (bytes >= one && bytes % one == 0) return std::to_string(bytes >> unit.shift).append(unit.name);
  }
  return std::to_string(bytes);
}

}  // namespace espalier
