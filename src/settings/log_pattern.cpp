// SPDX-License-Identifier: Apache-2.0
#include "settings/log_pattern.hpp"

#include <algorithm>

#include "settings/words.hpp"

namespace espalier {

namespace {

constexpr std::size_t longest_value = 64;

// The word that a text behind '%' begins with; empty: none.
std::string_view word_at(std::string_view text) {
  for (const std::string_view word : log_words) {
    if (text.starts_with(word)) return word;
  }
  return "";
}

// No part of a path goes elsewhere: neither "..", nor anything with a '/'.
std::string as_name(std::string text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  std::ranges::replace_if(
      text, [&](char c) { return !is_plain(c); }, '_');
  if (text.starts_with('.')) text.front() = '_';
  if (text.size() > longest_value) text.resize(longest_value);
  return text.empty() ? "none" : text;
}

}  // namespace

std::string wrong_log_pattern(std::string_view pattern) {
  if (pattern.empty()) return "";
  if (!pattern.starts_with('/')) return "not a whole path; allowed: a path that begins with /";
  for (std::size_t at = pattern.find('%'); at != pattern.npos; at = pattern.find('%', at + 1)) {
    if (word_at(pattern.substr(at + 1)).empty()) {
      return "not known behind %; allowed: %" +
             join_words(std::vector(std::begin(log_words), std::end(log_words)), " or ");
    }
  }
  return "";
}

std::vector<PathStep> path_by_pattern(std::string_view pattern,
                                      const std::function<std::string(std::string_view)>& value_of) {
  std::vector<PathStep> steps;
  bool is_given = true, is_own = false;
  for (std::string_view part : split(pattern, '/')) {
    std::string name;
    for (std::size_t at = part.find('%'); at != part.npos; at = part.find('%')) {
      const std::string_view word = word_at(part.substr(at + 1));
      name += std::string(part.substr(0, at)) + as_name(value_of(word));
      part.remove_prefix(at + 1 + word.size());
      is_given = false;
      is_own = is_own || word == word_of_user;
    }
    name += part;
    if (!name.empty() && name != ".") steps.push_back({name, is_given, is_own});
  }
  return steps;
}

}  // namespace espalier
