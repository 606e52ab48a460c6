// SPDX-License-Identifier: Apache-2.0
#include "settings/words.hpp"

#include <algorithm>
#include <numeric>

namespace espalier {

namespace {

// Levenshtein's: how many letters must be added, dropped or changed.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::string join_words(std::span<const std::string_view> words, std::string_view last_separator) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last_separator : ", ";
    text += words[i];
  }
  return text;
}

std::string_view nearest_word(std::string_view text, std::span<const std::string_view> words) {
  constexpr std::size_t max_typing_errors = 3;
  std::string_view nearest;
  std::size_t least = max_typing_errors + 1;
  for (const std::string_view word : words) {
    const std::size_t d = distance(text, word);
    if (d < least && d < word.size()) {
      least = d;
      nearest = word;
    }
  }
  return nearest;
}

std::string advice(std::string_view text, std::span<const std::string_view> words) {
  const std::string_view nearest = nearest_word(text, words);
  return nearest.empty() ? "allowed: " + join_words(words, " or ") : "did you mean " + std::string(nearest) + "?";
}

}  // namespace espalier
