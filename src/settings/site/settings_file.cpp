// SPDX-License-Identifier: Apache-2.0
#include "settings/site/settings_file.hpp"

#include <algorithm>

#include "settings/words.hpp"
#include "toml/fields.hpp"

namespace espalier {

namespace {

constexpr std::string_view of_one_job[] = {"ESPALIER_SITE_FILE", "ESPALIER_RUN"};

bool is_path(const Setting& setting) {
  const auto* form = std::get_if<Text>(&setting.form);
  return form != nullptr && form->allowed == "a path";
}

// A program may be started anywhere.
std::string wrong_path(const Setting& setting, std::string_view text) {
  const bool is_right =
      !is_path(setting) || text.empty() || text.starts_with('/') || (text == "auto" && setting.default_text == "auto");
  return is_right ? "" : "not a whole path; allowed in a file: a path that begins with /";
}

class SettingsFileReader : TomlFields {
 public:
  SettingsFileReader(const toml::table& root, const std::string& name, FileOf of)
      : TomlFields(name), root_(root), of_(of) {
    result_.name = name;
  }

  SettingsFile read() {
    for (const auto& [key, node] : root_) {
      if (key.str() == "enabled") {
        if (!truth(node, "enabled")) result_.disabled_in_line = line_of(node);
      } else if (key.str() == "hosts") {
        read_hosts(node);
      } else if (key.str() == "limits" && of_ == FileOf::site) {
        read_limits(node);
      } else if (key.str() == "off") {
        read_off(node);
      } else {
        result_.settings.push_back(setting(key.str(), node));
      }
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t index(std::string_view key, const toml::node& node) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < settings_table.size(); ++i) {
      if (std::ranges::find(of_one_job, settings_table[i].name) != std::end(of_one_job)) continue;
      if (name_in_file(settings_table[i]) == key) return i;
      names.push_back(name_in_file(settings_table[i]));
    }
    for (const char* const other : {"enabled", "hosts", "off"}) names.emplace_back(other);
    if (of_ == FileOf::site) names.emplace_back("limits");
    const std::vector<std::string_view> views(names.begin(), names.end());
    fail(node, std::string(key) + ": no such setting in a file; " + advice(key, views));
  }

  // As it would stand in the environment.
  [[nodiscard]] std::string text_of(const Setting& setting, const toml::node& node) const {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    const auto* const words = std::get_if<Words<bool>>(&setting.form);
    if (node.is_boolean() && words != nullptr) {
      return std::string(split(words->words, '|')[*node.value<bool>() ? 1 : 0]);
    }
    if (node.is_boolean() && std::holds_alternative<Levels>(setting.form)) return *node.value<bool>() ? "1" : "0";
    fail(node,
         name_in_file(setting) + ": neither a text in quotes nor a whole number; allowed: " + allowed_text(setting));
  }

  // The line of a mistake is that of the value.
  [[nodiscard]] FileSetting setting(std::string_view key, const toml::node& node) const {
    const std::size_t i = index(key, node);
    const Setting& known = settings_table[i];
    FileSetting found{i, text_of(known, node), line_of(node)};
    std::string wrong = wrong_path(known, found.text);
    Settings scratch;
    if (wrong.empty()) wrong = assign(known, found.text, scratch);
    if (!wrong.empty()) fail(node, std::string(key) + " = " + found.text + ": " + wrong);
    return found;
  }

  void read_hosts(const toml::node& node) {
    if (!node.is_array()) fail(node, "hosts must be a list of tables: [[hosts]]");
    for (const toml::node& each : *node.as_array()) {
      if (!each.is_table()) fail(each, "hosts must be a list of tables: [[hosts]]");
      const toml::table& in = *each.as_table();
      HostPart part{.match = text(required(in, "match"), "match"), .settings = {}};
      for (const auto& [key, value] : in) {
        if (key.str() != "match") part.settings.push_back(setting(key.str(), value));
      }
      result_.hosts.push_back(std::move(part));
    }
  }

  void read_limits(const toml::node& node) {
    if (!node.is_table()) fail(node, "limits must be a table: [limits]");
    for (const auto& [key, value] : *node.as_table()) result_.limits.push_back(limit(key.str(), value));
  }

  [[nodiscard]] SettingLimit limit(std::string_view key, const toml::node& node) const {
    const std::size_t i = index(key, node);
    const Form& form = settings_table[i].form;
    if (std::holds_alternative<Text>(form) || std::holds_alternative<Choices>(form)) {
      fail(node, std::string(key) + ": has no limit; allowed: settings that are a number or one of some words");
    }
    if (is_number(settings_table[i])) return {i, {setting(key, node).text}, line_of(node)};
    if (!node.is_array()) fail(node, std::string(key) + ": must be a list of the words that are allowed");
    SettingLimit words{i, {}, line_of(node)};
    for (const toml::node& each : *node.as_array()) words.allowed.push_back(setting(key, each).text);
    return words;
  }

  void read_off(const toml::node& node) {
    if (!node.is_table()) fail(node, "off must be a table: [off]");
    const toml::table& in = *node.as_table();
    allow(in, {"programs", "users"});
    result_.off = {patterns(in, "programs"), patterns(in, "users")};
  }

  [[nodiscard]] std::vector<std::string> patterns(const toml::table& in, const char* key) const {
    std::vector<std::string> found;
    if (!in.contains(key)) return found;
    for (const toml::node& each : array(in, key)) {
      found.push_back(each.is_integer() ? std::to_string(*each.value<std::int64_t>()) : text(each, key));
    }
    return found;
  }

  const toml::table& root_;
  const FileOf of_;
  SettingsFile result_;
};

}  // namespace

SettingsFile settings_file_from(std::string_view text, const std::string& name, FileOf of) {
  const toml::table root = parse_toml(text, name);
  return SettingsFileReader(root, name, of).read();
}

bool is_number(const Setting& setting) {
  return std::holds_alternative<Number>(setting.form) || std::holds_alternative<Share>(setting.form);
}

bool is_above(const Setting& setting, const Settings& value, const Settings& limit) {
  if (const auto* number = std::get_if<Number>(&setting.form)) return value.*number->field > limit.*number->field;
  if (const auto* share = std::get_if<Share>(&setting.form)) return value.*share->field > limit.*share->field;
  return false;
}

}  // namespace espalier
