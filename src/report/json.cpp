// SPDX-License-Identifier: Apache-2.0
#include "report/json.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "core/printable.hpp"

namespace espalier::json {

namespace {

// A control character (the last byte of one says which it is), or a byte that is not UTF-8.
std::string escaped(char letter) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(letter)));
  return escape;
}

}  // namespace

std::string text_of(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    if (bytes == "\"" || bytes == "\\") result += '\\';
    result += character.is_text ? std::string(bytes) : escaped(bytes.back());
    text.remove_prefix(character.bytes);
  }
  return result + '"';
}

std::string text_of(double number) {
  char text[64];
  const auto [end, error] = std::to_chars(text, std::end(text), number, std::chars_format::fixed, 9);
  return error == std::errc{} ? std::string(text, end) : "0";
}

std::string exact_text_of(double number) {
  char text[64];
  const auto [end, error] = std::to_chars(text, std::end(text), number);
  return error == std::errc{} && std::isfinite(number) ? std::string(text, end) : "0";
}

}  // namespace espalier::json
