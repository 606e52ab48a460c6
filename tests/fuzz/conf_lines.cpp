// SPDX-License-Identifier: Apache-2.0
#include "topology/text/conf_lines.hpp"

#include <algorithm>

#include "core/bad_description.hpp"
#include "target.hpp"

namespace espalier::fuzz {
namespace {

void check_lines(const std::vector<ConfLine>& lines, std::string_view text) {
  int last = 0;
  for (const auto& [number, words] : lines) {
    require(number > last && number <= std::ranges::count(text, '\n') + 1, "a line has the number of another one");
    require(!words.empty() && std::ranges::none_of(words, &std::string::empty, &ConfPair::key), "a word has no key");
    last = number;
  }
}

void run(std::string_view text) try {
  const ConfText conf = conf_text(text, "file");
  check_lines(conf.lines, text);
  check_lines(conf.remarks, text);
} catch (const BadDescription&) {
}

const Registration registration("conf_lines", run);

}  // namespace
}  // namespace espalier::fuzz
