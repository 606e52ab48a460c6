// SPDX-License-Identifier: Apache-2.0
#include "topology/text/conf_lines.hpp"

#include <algorithm>

#include "core/bad_description.hpp"

namespace espalier {

namespace {

constexpr std::string_view mark = "espalier:";
constexpr std::size_t max_key = 64;  // of a remark, with the blanks around it: a long list is looked at once

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

class ConfScanner {
 public:
  ConfScanner(std::string_view rest, const std::string& file, int number)
      : rest_(without_blanks(rest)), file_(file), number_(number) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  ConfPair word() {
    const std::string_view key = take(rest_, " \t\r\f\v=");
    if (lower(key) == "include" && !rest_.starts_with('=')) {
      throw BadDescription(file_, number_, "'Include' is not followed; allowed: the lines of that file in this one");
    }
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

bool begins_with_key(std::string_view text) {
  text = without_blanks(text);
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  return end != text.npos && without_blanks(text.substr(end)).starts_with('=');
}

// A comma before the next word is as good as a blank; others belong to a list.
std::string with_blanks_between_words(std::string_view text) {
  std::string result(text);
  for (std::size_t at = text.find(','); at != text.npos; at = text.find(',', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (without_blanks(rest).empty() || begins_with_key(lower(rest.substr(0, max_key)))) result[at] = ' ';
  }
  return result;
}

// From the first # on that is not escaped by a \; its end if there is none.
std::size_t begin_of_comment(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && line[at] != '#') at += line[at] == '\\' ? 2 : 1;
  return std::min(at, line.size());
}

// Takes the \ away that joins the next line to this one, if there is one; \\ is a character of the text.
bool take_continuation(std::string_view& line) {
  const std::string_view text = line.substr(0, line.find_last_not_of(conf_blanks) + 1);
  const std::size_t signs = text.size() - (text.find_last_not_of('\\') + 1);
  if (signs % 2 == 0) return false;
  line = text.substr(0, text.size() - 1);
  return true;
}

std::string without_escapes(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') ++at;
    if (at < text.size()) result += text[at];
  }
  return result;
}

}  // namespace

std::vector<ConfPair> conf_pairs(std::string_view line, const std::string& file, int number) {
  std::vector<ConfPair> words;
  ConfScanner scanner(line, file, number);
  while (!scanner.at_end()) words.push_back(scanner.word());
  return words;
}

std::vector<ConfPair> conf_remark(std::string_view comment, const std::string& file, int number) {
  comment = without_blanks(comment);
  if (lower(comment.substr(0, mark.size())) != mark) return {};
  return conf_pairs(with_blanks_between_words(comment.substr(mark.size())), file, number);
}

ConfText conf_text(std::string_view text, const std::string& file) {
  ConfText result;
  std::string joined;
  bool goes_on = false;
  for (int number = 1, first = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!goes_on) first = number;
    const std::size_t comment = begin_of_comment(line);
    if (comment < line.size()) {
      auto words = conf_remark(line.substr(comment + 1), file, number);
      if (!words.empty()) result.remarks.push_back({number, std::move(words)});
    }
    line = line.substr(0, comment);
    goes_on = take_continuation(line) && !text.empty();
    joined += line;
    if (goes_on) continue;
    auto words = conf_pairs(without_escapes(joined), file, first);
    if (!words.empty()) result.lines.push_back({first, std::move(words)});
    joined.clear();
  }
  return result;
}

}  // namespace espalier
