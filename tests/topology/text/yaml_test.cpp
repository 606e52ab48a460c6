// SPDX-License-Identifier: Apache-2.0
#include "topology/text/yaml.hpp"

#include <gtest/gtest.h>

#include "core/bad_description.hpp"

namespace espalier::yaml_test {
namespace {

// As JSON would have it, with the lines of texts.
std::string shown(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::text) return "'" + node.text + "'" + std::to_string(node.line);
  const bool is_list = node.kind == YamlNode::Kind::list;
  std::string text;
  for (const YamlNode& item : node.items) {
    text += (text.empty() ? "" : ", ") + (is_list ? "" : item.key + ": ") + shown(item);
  }
  return is_list ? "[" + text + "]" : "{" + text + "}";
}

std::string read(const std::string& text) { return shown(parse_yaml(text, "t.yaml").root); }

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(parse_yaml(text, "t.yaml"));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

TEST(Yaml, nests_by_indentation) {
  EXPECT_EQ(read("a: 1\nb:\n  c: 2\n  d:\n    - 3\n    - e: 4\n      f: 5\n    -\n      6\ng:\n"),
            "{a: '1'1, b: {c: '2'3, d: ['3'5, {e: '4'6, f: '5'7}, '6'9]}, g: ''10}");
  EXPECT_EQ(read("- - 1\n  - 2\n-\n- 3"), "[['1'1, '2'2], ''3, '3'4]");
}

TEST(Yaml, may_have_a_list_as_far_left_as_its_key) {
  EXPECT_EQ(read("a:\n- 1\n- 2\nb: 3\n"), "{a: ['1'2, '2'3], b: '3'4}");
}

TEST(Yaml, has_brackets_as_json_has_them_also_over_several_lines) {
  EXPECT_EQ(read("a: {x: 4, \"y\":5, z: , }\nb: [1, 'c,d', [], {}]"),
            "{a: {x: '4'1, y: '5'1, z: ''1}, b: ['1'2, 'c,d'2, [], {}]}");
  EXPECT_EQ(read("[{\"a\": [1,\n2], # more\n\n  \"b\":\n\"c:d\"}\n]\n"), "[{a: ['1'1, '2'2], b: 'c:d'5}]");
}

TEST(Yaml, takes_texts_as_they_are) {
  EXPECT_EQ(read("a: n[01-02],n3\nb: 'it''s # no comment'\nc: \"a\\\\b \\\"c\\\" \\/\"\nd: x#y:z\ne: -1"),
            "{a: 'n[01-02],n3'1, b: 'it's # no comment'2, c: 'a\\b \"c\" /'3, d: 'x#y:z'4, e: '-1'5}");
  EXPECT_EQ(read("\"a b\" : 1\n'c': 2\r\n"), "{a b: '1'1, c: '2'2}");
}

TEST(Yaml, keeps_comments_with_their_lines) {
  const YamlText yaml = parse_yaml("# one\na: 1 # two\n\n  # three\nb: '#'", "t.yaml");
  EXPECT_EQ(shown(yaml.root), "{a: '1'2, b: '#'5}");
  ASSERT_EQ(yaml.comments.size(), 3u);
  EXPECT_EQ(yaml.comments[1].line, 2);
  EXPECT_EQ(yaml.comments[1].text, " two");
  EXPECT_EQ(yaml.comments[2].line, 4);
}

TEST(Yaml, is_one_document) {
  EXPECT_EQ(read("%YAML 1.2\n--- # first\na: 1\n...\n# last\n"), "{a: '1'3}");
  EXPECT_EQ(read(""), "''1");
  EXPECT_EQ(read("---\n"), "''1");
  EXPECT_EQ(complaint("a: 1\n---\nb: 2"), "t.yaml:2: there are several documents; allowed: one");
  EXPECT_EQ(complaint("a: 1\n...\nb: 2"), "t.yaml:3: there are several documents; allowed: one");
}

TEST(Yaml, refuses_what_a_configuration_does_not_need) {
  const std::string allowed = "; allowed: plain texts, texts in quotes, [...] and {...}";
  EXPECT_EQ(complaint("a: 1\nb: *c"), "t.yaml:2: '*c' is not read here" + allowed);
  for (const char* text : {"&a b", "!!str a", "|", ">-", "@a", "`a", "? a", "%a"}) {
    EXPECT_EQ(complaint(std::string("a: ") + text), "t.yaml:1: '" + std::string(text) + "' is not read here" + allowed);
  }
  EXPECT_EQ(complaint("a: b: c"), "t.yaml:1: 'b: c' is not read here" + allowed);
  EXPECT_EQ(complaint("a: - b"), "t.yaml:1: '- b' is not read here" + allowed);
  EXPECT_EQ(complaint("a: [&b]"), "t.yaml:1: '&b]' is not read in brackets" + allowed);
}

TEST(Yaml, refuses_what_is_not_closed_or_follows) {
  EXPECT_EQ(complaint("a: \"b\nc: d\""), "t.yaml:1: a quote is not closed on its line");
  EXPECT_EQ(complaint("a: [b,\nc"), "t.yaml:2: a bracket is not closed");
  EXPECT_EQ(complaint("a: [b} "), "t.yaml:1: ',' is missing before '}'");
  EXPECT_EQ(complaint("a: {b}"), "t.yaml:1: ':' is missing before '}'");
  EXPECT_EQ(complaint("a: 'b' c"), "t.yaml:1: something follows a value; allowed: one value on a line");
  EXPECT_EQ(complaint("a: \"\\x41\""), "t.yaml:1: '\\x' is not known here; allowed in quotes: \\\\, \\\" and \\/");
}

TEST(Yaml, refuses_indentation_that_fits_nothing) {
  const std::string why =
      "this line's indentation fits nothing above it; allowed: the same for all of a list or mapping, and texts on one "
      "line each";
  EXPECT_EQ(complaint("a: b,\n  c"), "t.yaml:2: " + why);
  EXPECT_EQ(complaint("a:\n  b: 1\n c: 2"), "t.yaml:3: " + why);
  EXPECT_EQ(complaint("- a\nb: 1"), "t.yaml:2: " + why);
  EXPECT_EQ(complaint("a: 1\nb"), "t.yaml:2: a key is missing; allowed: KEY: VALUE");
  EXPECT_EQ(complaint("a:\n\tb: 1"), "t.yaml:2: a line is indented by a tab; allowed: blanks");
}

TEST(Yaml, refuses_keys_that_are_there_twice) {
  EXPECT_EQ(complaint("a: 1\nb: 2\na: 3"), "t.yaml:3: 'a' is there twice");
  EXPECT_EQ(complaint("{a: 1, 'a': 2}"), "t.yaml:1: 'a' is there twice");
}

TEST(Yaml, refuses_too_much) {
  EXPECT_EQ(complaint(std::string(100, '[')), "t.yaml:1: nested too deeply; allowed: 64 levels");
  std::string many;
  for (int k = 0; k < 1 << 20; ++k) many += "-\n";
  EXPECT_EQ(complaint(many), "t.yaml:1048576: too many entries; allowed: 1048576");
  EXPECT_EQ(complaint(std::string((1 << 21) + 1, '\n')), "t.yaml:2097153: too many lines; allowed: 2097152");
}

}  // namespace
}  // namespace espalier::yaml_test
