// SPDX-License-Identifier: Apache-2.0
#include "core/printable.hpp"

#include <algorithm>
#include <array>

namespace espalier {

namespace {

unsigned byte_of(char letter) { return static_cast<unsigned char>(letter); }

// As the first byte of a character has it; 0: none begins so.
std::size_t length_begun_by(unsigned first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

bool goes_on(char letter) { return (byte_of(letter) & 0xc0) == 0x80; }

char32_t value_of(std::string_view bytes) {
  constexpr std::array<unsigned, 5> bits_of_first = {0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t value = byte_of(bytes.front()) & bits_of_first[bytes.size()];
  for (const char letter : bytes.substr(1)) value = value << 6 | (byte_of(letter) & 0x3f);
  return value;
}

// Nor the halves of UTF-16's pairs, nor what could have been said with fewer bytes.
bool is_valid(char32_t value, std::size_t bytes) {
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  return value >= least[bytes] && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
}

bool is_control(char32_t value) { return value < 0x20 || (value >= 0x7f && value < 0xa0); }

void append_escaped(std::string& result, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char letter : bytes) {
    result.append("\\x") += digits[byte_of(letter) >> 4];
    result += digits[byte_of(letter) & 15];
  }
}

std::string shown(std::string_view text, bool keeps_lines) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    if (character.is_text || (keeps_lines && bytes == "\n")) {
      result += bytes;
    } else {
      append_escaped(result, bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace

Character first_character(std::string_view text) {
  const std::size_t length = length_begun_by(byte_of(text.front()));
  const std::string_view bytes = text.substr(0, length);
  if (length == 0 || bytes.size() < length || !std::ranges::all_of(bytes.substr(1), goes_on)) return {};
  const char32_t value = value_of(bytes);
  return is_valid(value, length) ? Character{length, !is_control(value)} : Character{};
}

std::string printable(std::string_view text) { return shown(text, false); }
std::string printable_lines(std::string_view text) { return shown(text, true); }

}  // namespace espalier
