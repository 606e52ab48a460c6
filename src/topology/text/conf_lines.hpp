// SPDX-License-Identifier: Apache-2.0
// The lines of Slurm's configuration files: words KEY=VALUE between blanks, keys in any case, values perhaps in double
// quotes. A comment goes from # to the end of the line. A line that ends in \, perhaps with blanks behind it, goes on
// with the first character of the next one, also within a word; \ before another character stands for that character.
//
// Slurm does not say everything that we want to know. What it lacks stands in a comment that it does not read:
//
//   # espalier: rate=2.5e9, nics=2, nodes=tux[0-5,7]
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// What may stand between words: all of C's but the end of a line.
constexpr std::string_view conf_blanks = " \t\r\f\v";

struct ConfPair {
  std::string key;  // in lower case
  std::string value;
};

struct ConfLine {
  int number = 0;  // in the file, of its first line
  std::vector<ConfPair> words;
};

struct ConfText {
  std::vector<ConfLine> lines;    // with a word at least
  std::vector<ConfLine> remarks;  // after "# espalier:"
};

// All throw BadDescription where there is no KEY=VALUE.
[[nodiscard]] ConfText conf_text(std::string_view text, const std::string& file);
[[nodiscard]] std::vector<ConfPair> conf_pairs(std::string_view line, const std::string& file, int number);

// What a comment says to us, from behind its # on; nothing if it is for others.
[[nodiscard]] std::vector<ConfPair> conf_remark(std::string_view comment, const std::string& file, int number);

}  // namespace espalier
