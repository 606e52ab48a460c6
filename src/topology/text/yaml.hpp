// SPDX-License-Identifier: Apache-2.0
// As much of YAML as configuration files need, and no more: a preloaded library should not hold a parser for the rest.
//
//   ---                       # comments
//   - topology: topo1         # lists and mappings by their indentation
//     dims: {x: 4, y: 2}      # or in brackets, also over several lines, as in JSON
//     nodes: "n[01-08]"       # texts plain or in quotes, on one line each
//
// Refused, each with its line: anchors, aliases, tags, texts over several lines, several documents, keys that are no
// texts or are there twice, indentation by tabs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

struct YamlNode {
  enum class Kind { text, list, mapping };
  Kind kind = Kind::text;
  int line = 0;
  std::string key;              // in a mapping
  std::string text;             // empty also where there is nothing
  std::vector<YamlNode> items;  // of a list or a mapping
};

struct YamlComment {
  int line = 0;
  std::string text;  // from behind its # on
};

struct YamlText {
  YamlNode root;
  std::vector<YamlComment> comments;
};

// Throws BadDescription. `file` is for messages only.
[[nodiscard]] YamlText parse_yaml(std::string_view text, const std::string& file);

}  // namespace espalier
