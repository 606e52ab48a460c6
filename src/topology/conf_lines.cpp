// SPDX-License-Identifier: Apache-2.0
#include "topology/conf_lines.hpp"

#include <algorithm>

#include "core/bad_description.hpp"

namespace espalier {

namespace {

constexpr std::string_view mark = "espalier:";

// Of the letters A to Z, in every locale.
std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
  return result;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(conf_blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(conf_blanks) - first + 1);
}

// Takes what comes before the first of `ends`, and the blanks that follow it, away from `rest`.
std::string_view take(std::string_view& rest, std::string_view ends) {
  const std::string_view taken = rest.substr(0, rest.find_first_of(ends));
  rest.remove_prefix(taken.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(conf_blanks), rest.size()));
  return taken;
}

class Scanner {
 public:
  Scanner(std::string_view rest, const std::string& file, int number)
      : rest_(without_blanks(rest)), file_(file), number_(number) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  ConfPair word() {
    const std::string_view key = take(rest_, " \t\r\f\v=");
    if (key.empty() || !rest_.starts_with('=')) fail("'" + std::string(key.substr(0, 40)) + "' has no value");
    rest_.remove_prefix(1);
    rest_.remove_prefix(std::min(rest_.find_first_not_of(conf_blanks), rest_.size()));
    return {lower(key), std::string(value())};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw BadDescription(file_, number_, what + "; allowed: KEY=VALUE");
  }

  std::string_view value() {
    if (!rest_.starts_with('"')) return take(rest_, conf_blanks);
    rest_.remove_prefix(1);
    if (rest_.find('"') == rest_.npos) fail("a quote is not closed");
    const std::string_view quoted = rest_.substr(0, rest_.find('"'));
    rest_.remove_prefix(quoted.size() + 1);
    rest_.remove_prefix(std::min(rest_.find_first_not_of(conf_blanks), rest_.size()));
    return quoted;
  }

  std::string_view rest_;
  const std::string& file_;
  int number_;
};

// What stands after the mark; empty if this is another comment. Commas are as good as blanks there.
std::string remark_in(std::string_view comment) {
  comment = without_blanks(comment);
  if (lower(comment.substr(0, mark.size())) != mark) return "";
  std::string remark(comment.substr(mark.size()));
  std::ranges::replace(remark, ',', ' ');
  return remark;
}

}  // namespace

std::vector<ConfPair> conf_pairs(std::string_view line, const std::string& file, int number) {
  std::vector<ConfPair> words;
  Scanner scanner(line, file, number);
  while (!scanner.at_end()) words.push_back(scanner.word());
  return words;
}

ConfText conf_text(std::string_view text, const std::string& file) {
  ConfText result;
  std::string joined;
  int number = 0, first = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (joined.empty()) first = number;
    if (const std::size_t hash = line.find('#'); hash != line.npos) {
      auto words = conf_pairs(remark_in(line.substr(hash + 1)), file, number);
      if (!words.empty()) result.remarks.push_back({number, std::move(words)});
      line = line.substr(0, hash);
    }
    line = without_blanks(line);
    const bool goes_on = line.ends_with('\\');
    joined.append(line.substr(0, line.size() - (goes_on ? 1 : 0))) += ' ';
    if (goes_on && !text.empty()) continue;
    auto words = conf_pairs(joined, file, first);
    if (!words.empty()) result.lines.push_back({first, std::move(words)});
    joined.clear();
  }
  return result;
}

}  // namespace espalier
