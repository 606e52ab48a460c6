// SPDX-License-Identifier: Apache-2.0
// What is read is written in brackets and quotes, and then must be read as the same.
#include "topology/text/yaml.hpp"

#include <algorithm>
#include <set>

#include "core/bad_description.hpp"
#include "target.hpp"

namespace espalier::fuzz {
namespace {

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + "\"";
}

std::string in_brackets(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::text) return in_quotes(node.text);
  const bool is_list = node.kind == YamlNode::Kind::list;
  std::string text;
  for (const YamlNode& item : node.items) {
    text += (text.empty() ? "" : ", ") + (is_list ? "" : in_quotes(item.key) + ": ") + in_brackets(item);
  }
  return is_list ? "[" + text + "]" : "{" + text + "}";
}

void check_node(const YamlNode& node, int lines) {
  require(node.line >= 1 && node.line <= lines, "a line has no number");
  require(node.kind != YamlNode::Kind::text || node.items.empty(), "a text has items");
  std::set<std::string_view> keys;
  for (const YamlNode& item : node.items) {
    check_node(item, lines);
    require(node.kind != YamlNode::Kind::mapping || keys.insert(item.key).second, "a key is there twice");
  }
}

void run(std::string_view text) try {
  const YamlText yaml = parse_yaml(text, "file");
  const int lines = static_cast<int>(std::ranges::count(text, '\n')) + 1;
  check_node(yaml.root, lines);
  for (const auto& [line, comment] : yaml.comments) require(line >= 1 && line <= lines, "a comment has no line");
  const std::string written = in_brackets(yaml.root);
  require(in_brackets(parse_yaml(written, "written").root) == written, "what is written is read as something else");
} catch (const BadDescription& bad) {
  require(std::string_view(bad.what()).starts_with("file:"), "a refusal does not say where");
}

const Registration registration("yaml", run);

}  // namespace
}  // namespace espalier::fuzz
