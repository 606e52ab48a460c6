// SPDX-License-Identifier: Apache-2.0
// Small helpers for text that people write and read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// The parts between separators; at least one, possibly empty.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

// "a, b or c" for the last separator " or ".
[[nodiscard]] std::string join_words(std::span<const std::string_view> words, std::string_view last_separator);

// The word that a typing error most likely came from; empty if none is near.
[[nodiscard]] std::string_view nearest_word(std::string_view text, std::span<const std::string_view> words);

// What can be said of a word that is none of `words`: "did you mean ring?", or else "allowed: chain or ring".
[[nodiscard]] std::string advice(std::string_view text, std::span<const std::string_view> words);

}  // namespace espalier
