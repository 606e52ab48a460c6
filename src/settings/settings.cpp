// SPDX-License-Identifier: Apache-2.0
#include "settings/settings.hpp"

#include <unistd.h>

#include "core/hash.hpp"
#include "settings/number.hpp"
#include "settings/table.hpp"
#include "settings/words.hpp"

namespace espalier {

namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

template <class T>
std::string assign_word(const Words<T>& form, std::string_view text, Settings& settings) {
  const auto words = split(form.words, '|');
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != text) continue;
    settings.*form.field = static_cast<T>(i);
    return {};
  }
  return "not known";
}

std::string assign_name(const Name& form, std::string_view text, Settings& settings) {
  for (const std::string_view word : split(form.words, '|')) {
    if (word != text) continue;
    settings.*form.field = text;
    return {};
  }
  return "not known";
}

std::string assign_text(const Text& form, std::string_view text, Settings& settings) {
  if (std::string wrong = form.wrong != nullptr ? form.wrong(text) : ""; !wrong.empty()) return wrong;
  settings.*form.field = text;
  return {};
}

std::string assign_number(const Number& form, std::string_view text, Settings& settings) {
  const auto [min, max] = form.limits;
  const auto value = parse_number(text);
  if (!value) return "not a whole number";
  if (*value < static_cast<std::size_t>(min) || *value > static_cast<std::size_t>(max)) return "out of range";
  settings.*form.field = static_cast<int>(*value);
  return {};
}

std::string assign_share(const Share& form, std::string_view text, Settings& settings) {
  if (!text.ends_with('%')) return "not in per cent";
  const auto percent = parse_decimal(text.substr(0, text.size() - 1));
  if (!percent) return "not a number";
  if (*percent < form.limits.min || *percent > form.limits.max) return "out of range";
  settings.*form.field = *percent;
  return {};
}

bool is_ours(std::string_view name) { return name == "ESPALIER" || name.starts_with("ESPALIER_"); }

std::string unknown_name(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Setting& setting : settings_table) names.push_back(setting.name);
  return std::string(name) + ": no such setting; " + advice(name, names);
}

std::size_t index_of(std::string_view name) {
  std::size_t i = 0;
  while (i < settings_table.size() && settings_table[i].name != name) ++i;
  return i;
}

// Reads one variable; returns an error text, or nothing.
std::string read(std::string_view variable, Settings& settings) {
  const std::size_t equals = variable.find('=');
  const std::string_view name = variable.substr(0, equals);
  if (!is_ours(name) || equals == variable.npos) return {};
  const std::size_t i = index_of(name);
  if (i == settings_table.size()) return unknown_name(name);
  if (settings.origins[i] == Origin::environment)
    return {};  // as getenv: of two variables of one name the first counts
  settings.origins[i] = Origin::environment;
  settings.places[i].clear();
  const std::string error = assign(settings_table[i], variable.substr(equals + 1), settings);
  return error.empty() ? error : std::string(variable) + ": " + error;
}

}  // namespace

Settings::Settings() {
  for (const Setting& setting : settings_table) (void)assign(setting, setting.default_text, *this);
}

std::string read_environment(std::span<const char* const> environment, Settings& settings) {
  for (const char* variable : environment) {
    if (std::string error = read(variable, settings); !error.empty()) return error;
  }
  return {};
}

ParsedSettings refused_settings(std::string error) {
  ParsedSettings parsed{.settings = {}, .error = std::move(error), .off = {}};
  parsed.settings.enabled = false;
  return parsed;
}

ParsedSettings parse_settings(std::span<const char* const> environment) {
  ParsedSettings parsed;
  std::string error = read_environment(environment, parsed.settings);
  return error.empty() ? parsed : refused_settings(std::move(error));
}

std::span<const char* const> process_environment() {
  std::size_t count = 0;
  while (environ != nullptr && environ[count] != nullptr) ++count;
  return {environ, count};
}

std::string assign(const Setting& setting, std::string_view text, Settings& settings) {
  const auto with_allowed = [&](std::string problem) {
    return problem.empty() ? problem : problem + "; allowed: " + allowed_text(setting);
  };
  return std::visit(Overloaded{
                        [&](const Name& form) { return with_allowed(assign_name(form, text, settings)); },
                        [&](const Number& form) { return with_allowed(assign_number(form, text, settings)); },
                        [&](const Share& form) { return with_allowed(assign_share(form, text, settings)); },
                        [&](const Text& form) { return assign_text(form, text, settings); },
                        [&](const Levels& form) { return with_allowed(parse_verbosity(text, settings.*form.field)); },
                        [&](const Choices& form) { return parse_choices(text, settings.*form.field); },
                        [&](const auto& form) { return with_allowed(assign_word(form, text, settings)); },
                    },
                    setting.form);
}

std::string value_text(const Setting& setting, const Settings& settings) {
  return std::visit(Overloaded{
                        [&](const Name& form) { return settings.*form.field; },
                        [&](const Number& form) { return std::to_string(settings.*form.field); },
                        [&](const Share& form) { return format_decimal(settings.*form.field) + "%"; },
                        [&](const Text& form) { return settings.*form.field; },
                        [&](const Levels& form) { return format_verbosity(settings.*form.field); },
                        [&](const Choices& form) { return format_choices(settings.*form.field); },
                        [&](const auto& form) {
                          const auto index = static_cast<std::size_t>(settings.*form.field);
                          return std::string(split(form.words, '|')[index]);
                        },
                    },
                    setting.form);
}

std::string name_in_file(const Setting& setting) {
  constexpr std::string_view prefix = "ESPALIER_";
  std::string name(setting.name.starts_with(prefix) ? setting.name.substr(prefix.size()) : setting.name);
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return name;
}

std::string shown_with_value(std::size_t index, const Settings& settings) {
  const Setting& setting = settings_table[index];
  const std::string value = value_text(setting, settings);
  const std::string& place = settings.places[index];
  return place.empty() ? std::string(setting.name) + "=" + value : place + ": " + name_in_file(setting) + " = " + value;
}

std::string allowed_text(const Setting& setting) {
  return std::visit(
      Overloaded{
          [](const Number& form) { return std::to_string(form.limits.min) + " to " + std::to_string(form.limits.max); },
          [](const Share& form) {
            return std::to_string(form.limits.min) + "% to " + std::to_string(form.limits.max) + "%";
          },
          [](const Text& form) { return std::string(form.allowed); },
          [](const Levels&) { return allowed_verbosity(); },
          [](const Choices&) { return std::string("COLLECTIVE:ALGORITHM [,PARAMETER=VALUE]... [;...]"); },
          [](const auto& form) { return join_words(split(form.words, '|'), " or "); },
      },
      setting.form);
}

std::string allowed_text(const ParameterLimits& parameter) {
  if (!parameter.words.empty()) return std::string(parameter.words);
  const auto text = [&](int value) { return parameter.is_size ? format_size(value) : std::to_string(value); };
  const int least = parameter.min_above_zero;
  return (least > 0 ? "0, or " + text(least) : text(parameter.limits.min)) + " to " + text(parameter.limits.max) +
         (parameter.is_size ? ", in bytes or with KiB, MiB or GiB" : "");
}

std::uint64_t hash_of(const Settings& settings) {
  std::uint64_t hash = hash_of_text("");
  const auto add = [&](std::string_view text) { hash = hash_of_text(text, hash); };
  for (const Setting& setting : settings_table) {
    add(setting.name);
    add("=");
    add(value_text(setting, settings));
    add("\n");
  }
  return hash;
}

}  // namespace espalier
