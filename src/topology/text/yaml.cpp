// SPDX-License-Identifier: Apache-2.0
#include "topology/text/yaml.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/bad_description.hpp"

namespace espalier {

namespace {

constexpr int max_depth = 64;
constexpr int max_items = 1 << 20;  // of all lists and mappings together
constexpr int max_lines = 1 << 21;
constexpr std::string_view blanks = " \t\r";
constexpr std::string_view brackets = "[]{},";
constexpr const char* allowed_texts = "; allowed: plain texts, texts in quotes, [...] and {...}";

struct YamlLine {
  int number = 0;
  int indent = 0;
  std::string_view content;  // without blanks around it; not empty
};

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_blank_at(std::string_view text, std::size_t at) {
  return at >= text.size() || blanks.find(text[at]) != blanks.npos;
}

bool is_quote(char letter) { return letter == '"' || letter == '\''; }

// Behind the quote that closes the one at `begin`; npos if it is not closed.
std::size_t end_of_quoted(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      const bool is_doubled = quote == '\'' && text.substr(at + 1).starts_with('\'');
      if (!is_doubled) return at + 1;
      ++at;
    }
  }
  return text.npos;
}

// A # behind a blank, outside of quotes; these open where a text may begin. The line's end if there is none.
std::size_t begin_of_comment(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool is_first = at == 0 || is_blank_at(line, at - 1);
    if (line[at] == '#' && is_first) return at;
    if (!is_quote(line[at]) || !(is_first || std::string_view("[{,:").find(line[at - 1]) != std::string_view::npos)) {
      continue;
    }
    const std::size_t end = end_of_quoted(line, at);
    if (end == line.npos) return line.size();
    at = end - 1;
  }
  return line.size();
}

// The lines that hold anything, and the comments.
class YamlScanner {
 public:
  explicit YamlScanner(const std::string& file) : file_(file) {}

  void add(std::string_view text) {
    if (++number_ > max_lines) fail("too many lines; allowed: " + std::to_string(max_lines));
    const std::size_t comment = begin_of_comment(text);
    if (comment < text.size()) comments_.push_back({number_, std::string(text.substr(comment + 1))});
    text = text.substr(0, comment);
    const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
    const std::string_view content = without_blanks(text);
    if (content.empty() || is_mark(content, indent)) return;
    if (text[indent] == '\t') fail("a line is indented by a tab; allowed: blanks");
    if (has_ended_) fail("there are several documents; allowed: one");
    lines_.push_back({number_, static_cast<int>(indent), content});
  }

  std::vector<YamlLine> lines() && { return std::move(lines_); }
  std::vector<YamlComment> comments() && { return std::move(comments_); }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw BadDescription(file_, number_, what); }

  // Of the beginning or the end of a document.
  bool is_mark(std::string_view content, std::size_t indent) {
    if (indent > 0) return false;
    if (content == "...") return has_ended_ = true;
    if (content == "---") {
      if (!lines_.empty() || has_ended_) fail("there are several documents; allowed: one");
      return true;
    }
    return content.starts_with('%') && lines_.empty();
  }

  const std::string& file_;
  int number_ = 0;
  bool has_ended_ = false;
  std::vector<YamlLine> lines_;
  std::vector<YamlComment> comments_;
};

class Parser {
 public:
  Parser(std::vector<YamlLine> lines, const std::string& file) : lines_(std::move(lines)), file_(file) {}

  YamlNode root() {
    if (at_end()) return {.line = 1};
    YamlNode node = block(0);
    if (!at_end()) {
      fail(
          "this line's indentation fits nothing above it; allowed: the same for all of a list or mapping, and texts on "
          "one line each");
    }
    return node;
  }

 private:
  using Keys = std::unordered_set<std::string>;

  [[noreturn]] void fail(const std::string& what) const {
    const int number = lines_[std::min(at_, lines_.size() - 1)].number;
    throw BadDescription(file_, number, what);
  }

  [[nodiscard]] bool at_end() const { return at_ == lines_.size(); }
  YamlLine& line() { return lines_[at_]; }

  YamlNode node_of(YamlNode::Kind kind) {
    if (++items_ > max_items) fail("too many entries; allowed: " + std::to_string(max_items));
    return {.kind = kind, .line = line().number};
  }

  void check_depth(int depth) const {
    if (depth > max_depth) fail("nested too deeply; allowed: " + std::to_string(max_depth) + " levels");
  }

  // By indentation.

  YamlNode block(int depth) {
    check_depth(depth);
    if (is_item()) return list(depth);
    if (end_of_key() != 0) return mapping(depth);
    return value(depth);
  }

  [[nodiscard]] bool is_item() { return line().content.front() == '-' && is_blank_at(line().content, 1); }

  YamlNode list(int depth) {
    YamlNode node = node_of(YamlNode::Kind::list);
    const int indent = line().indent;
    while (!at_end() && line().indent == indent && is_item()) {
      YamlNode nothing = node_of(YamlNode::Kind::text);
      const std::string_view rest = without_blanks(line().content.substr(1));
      if (!rest.empty()) {
        line().indent += static_cast<int>(rest.data() - line().content.data());
        line().content = rest;
        node.items.push_back(block(depth + 1));
        continue;
      }
      ++at_;
      const bool has_more = !at_end() && line().indent > indent;
      node.items.push_back(has_more ? block(depth + 1) : std::move(nothing));
    }
    return node;
  }

  YamlNode mapping(int depth) {
    YamlNode node = node_of(YamlNode::Kind::mapping);
    const int indent = line().indent;
    Keys keys;
    while (!at_end() && line().indent == indent && !is_item()) {
      std::string key = take_key();
      check_new(keys, key);
      node.items.push_back(entry(indent, depth));
      node.items.back().key = std::move(key);
    }
    return node;
  }

  // What belongs to a key: behind it, or in the lines below. A list there may stand as far left as the key.
  YamlNode entry(int indent, int depth) {
    if (!line().content.empty()) return value(depth + 1);
    YamlNode nothing = node_of(YamlNode::Kind::text);
    ++at_;
    const bool has_more = !at_end() && (line().indent > indent || (line().indent == indent && is_item()));
    return has_more ? block(depth + 1) : nothing;
  }

  // Where the key of this line ends; 0 if it has none.
  [[nodiscard]] std::size_t end_of_key() {
    const std::string_view text = line().content;
    if (is_quote(text.front())) {
      const std::size_t end = end_of_quoted(text, 0);
      if (end == text.npos) return 0;
      const std::size_t colon = text.find_first_not_of(blanks, end);
      return colon != text.npos && text[colon] == ':' && is_blank_at(text, colon + 1) ? end : 0;
    }
    if (is_special(text.front())) return 0;
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (text[at] == ':' && is_blank_at(text, at + 1)) return at;
    }
    return 0;
  }

  // Leaves what stands behind the colon.
  std::string take_key() {
    const std::size_t end = end_of_key();
    if (end == 0) fail("a key is missing; allowed: KEY: VALUE");
    std::string_view& rest = line().content;
    const std::string_view key = without_blanks(rest.substr(0, end));
    rest = without_blanks(rest.substr(rest.find(':', end) + 1));
    return is_quote(key.front()) ? unquoted(key) : std::string(key);
  }

  void check_new(Keys& keys, const std::string& key) const {
    if (!keys.insert(key).second) fail("'" + key + "' is there twice");
  }

  // All that is left of this line, and of the next ones if brackets are open.
  YamlNode value(int depth) {
    YamlNode node = line().content.starts_with('[') || line().content.starts_with('{') ? bracketed(depth) : text();
    if (!line().content.empty()) fail("something follows a value; allowed: one value on a line");
    ++at_;
    return node;
  }

  YamlNode text() {
    YamlNode node = node_of(YamlNode::Kind::text);
    std::string_view& rest = line().content;
    if (is_quote(rest.front())) {
      node.text = take_quoted();
      return node;
    }
    if (is_special(rest.front()) || is_item() || end_of_key() != 0) {
      fail("'" + std::string(rest.substr(0, 40)) + "' is not read here" + allowed_texts);
    }
    node.text = std::exchange(rest, {});
    return node;
  }

  // In brackets.

  YamlNode bracketed(int depth) {
    check_depth(depth);
    const bool is_list = line().content.front() == '[';
    YamlNode node = node_of(is_list ? YamlNode::Kind::list : YamlNode::Kind::mapping);
    const char end = is_list ? ']' : '}';
    Keys keys;
    take();
    while (next() != end) {
      node.items.push_back(is_list ? inner(depth) : inner_entry(keys, depth));
      if (next() != end) take(',');
    }
    take();
    return node;
  }

  YamlNode inner_entry(Keys& keys, int depth) {
    std::string key = inner_text();
    check_new(keys, key);
    take(':');
    YamlNode node = next() == ',' || next() == '}' ? node_of(YamlNode::Kind::text) : inner(depth);
    node.key = std::move(key);
    return node;
  }

  YamlNode inner(int depth) {
    if (next() == '[' || next() == '{') return bracketed(depth + 1);
    YamlNode node = node_of(YamlNode::Kind::text);
    node.text = inner_text();
    return node;
  }

  std::string inner_text() {
    std::string_view& rest = line().content;
    if (is_quote(next())) return take_quoted();
    std::size_t end = 0;
    while (end < rest.size() && brackets.find(rest[end]) == brackets.npos) {
      const bool is_colon =
          rest[end] == ':' && (is_blank_at(rest, end + 1) || brackets.find(rest[end + 1]) != brackets.npos);
      if (is_colon) break;
      ++end;
    }
    if (end == 0 || is_special(rest.front())) {
      fail("'" + std::string(rest.substr(0, 40)) + "' is not read in brackets" + allowed_texts);
    }
    const std::string_view text = without_blanks(rest.substr(0, end));
    rest = without_blanks(rest.substr(end));
    return std::string(text);
  }

  // The next character that is no blank, perhaps on another line.
  char next() {
    while (line().content.empty()) {
      if (at_ + 1 == lines_.size()) fail("a bracket is not closed");
      ++at_;
    }
    return line().content.front();
  }

  void take() { line().content = without_blanks(line().content.substr(1)); }
  void take(char expected) {
    if (next() != expected) fail(std::string("'") + expected + "' is missing before '" + next() + "'");
    take();
  }

  std::string take_quoted() {
    std::string_view& rest = line().content;
    const std::size_t end = end_of_quoted(rest, 0);
    if (end == rest.npos) fail("a quote is not closed on its line");
    std::string text = unquoted(rest.substr(0, end));
    rest = without_blanks(rest.substr(end));
    return text;
  }

  [[nodiscard]] std::string unquoted(std::string_view quoted) const {
    const char quote = quoted.front();
    std::string text;
    for (std::size_t at = 1; at + 1 < quoted.size(); ++at) {
      const bool is_escape = quoted[at] == (quote == '"' ? '\\' : quote);
      if (is_escape) ++at;
      if (is_escape && quote == '"' && std::string_view("\\\"/").find(quoted[at]) == std::string_view::npos) {
        fail(std::string("'\\") + quoted[at] + R"(' is not known here; allowed in quotes: \\, \" and \/)");
      }
      text += quoted[at];
    }
    return text;
  }

  // What no plain text begins with.
  static bool is_special(char first) {
    return std::string_view("&*!|>%@`?:\"'#,[]{}").find(first) != std::string_view::npos;
  }

  std::vector<YamlLine> lines_;
  const std::string& file_;
  std::size_t at_ = 0;
  int items_ = 0;
};

}  // namespace

YamlText parse_yaml(std::string_view text, const std::string& file) {
  YamlScanner scanner(file);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    scanner.add(line);
  }
  std::vector<YamlComment> comments = std::move(scanner).comments();
  return {Parser(std::move(scanner).lines(), file).root(), std::move(comments)};
}

}  // namespace espalier
