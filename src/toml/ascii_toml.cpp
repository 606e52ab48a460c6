// SPDX-License-Identifier: Apache-2.0
#include "toml/ascii_toml.hpp"

#include <algorithm>

#include "core/bad_description.hpp"

namespace espalier {

namespace {

std::size_t end_of_line(std::string_view text, std::size_t from) {
  return std::min(text.find('\n', from), text.size());
}

// Past a string that begins here, in any of TOML's four kinds of quotes; or past the line, if it is not closed there.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string thrice(3, quote);
  const bool has_lines = text.substr(begin).starts_with(thrice);
  const std::string_view closing = std::string_view(thrice).substr(0, has_lines ? 3 : 1);
  for (std::size_t at = begin + closing.size(); at < text.size(); ++at) {
    if (text.substr(at).starts_with(closing)) return at + closing.size();
    if (text[at] == '\n' && !has_lines) return at;
    if (text[at] == '\\' && quote == '"') ++at;
  }
  return text.size();
}

void check_ascii(std::string_view text, std::size_t begin, std::size_t end, const std::string& file) {
  const auto found = std::find_if(text.begin() + begin, text.begin() + end, [](char c) { return (c & 0x80) != 0; });
  if (found == text.begin() + end) return;
  const auto line = static_cast<int>(1 + std::count(text.begin(), found, '\n'));
  throw BadDescription(file, line, "a character that is not ASCII; allowed: in comments only");
}

}  // namespace

std::string ascii_toml(std::string_view text, const std::string& file) {
  std::string result(text);
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '#') {
      const std::size_t end = end_of_line(text, at);
      std::fill(result.begin() + at, result.begin() + end, ' ');
      at = end;
      continue;
    }
    const bool is_quote = text[at] == '"' || text[at] == '\'';
    const std::size_t end = is_quote ? std::min(end_of_string(text, at), text.size()) : at + 1;
    check_ascii(text, at, end, file);
    at = end;
  }
  return result;
}

}  // namespace espalier
