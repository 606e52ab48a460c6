// SPDX-License-Identifier: Apache-2.0
// The grammar of ESPALIER_VERBOSE:
//   verbosity = part { "," part }
//   part      = [ subject "=" ] level
#include "settings/verbosity.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "settings/words.hpp"

namespace espalier {

namespace {

template <class Names>
std::string listed(const Names& names, std::string_view between) {
  return join_words(std::vector<std::string_view>(std::begin(names), std::end(names)), between);
}

std::optional<std::size_t> place_of(std::string_view name, auto& names) {
  const auto* const found = std::ranges::find(names, name);
  if (found == std::end(names)) return std::nullopt;
  return found - std::begin(names);
}

// What "1" has always meant: what was found at the start.
Verbosity at_start() {
  Verbosity verbosity;
  for (const Topic subject : {Topic::start, Topic::memory, Topic::network, Topic::fabric, Topic::node}) {
    verbosity.levels[static_cast<std::size_t>(subject)] = Level::info;
  }
  return verbosity;
}

std::optional<Level> level_named(std::string_view name) {
  if (name == "0") return Level::off;
  if (name == "1") return Level::info;
  const auto place = place_of(name, level_names);
  return place ? std::optional(static_cast<Level>(*place)) : std::nullopt;
}

std::string parse_part(std::string_view part, Verbosity& verbosity) {
  const std::size_t equals = part.find('=');
  const auto level = level_named(equals == part.npos ? part : part.substr(equals + 1));
  if (!level) return "'" + std::string(part) + "' has no level";
  if (equals == part.npos) {
    verbosity.levels.fill(*level);
    if (part == "1") verbosity = at_start();
    return {};
  }
  const auto subject = place_of(part.substr(0, equals), topic_names);
  if (!subject) return "'" + std::string(part.substr(0, equals)) + "' is no subject";
  verbosity.levels[*subject] = *level;
  return {};
}

}  // namespace

std::string parse_verbosity(std::string_view text, Verbosity& verbosity) {
  Verbosity found;
  for (const std::string_view part : split(text, ',')) {
    if (std::string error = parse_part(part, found); !error.empty()) return error;
  }
  verbosity = found;
  return {};
}

std::string format_verbosity(const Verbosity& verbosity) {
  const auto& levels = verbosity.levels;
  if (verbosity == Verbosity()) return "0";
  if (verbosity == at_start()) return "1";
  if (std::ranges::count(levels, levels.front()) == std::ssize(levels)) {
    return std::string(level_names[static_cast<std::size_t>(levels.front())]);
  }
  std::string text;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] == Level::off) continue;
    if (!text.empty()) text += ',';
    text.append(topic_names[i]).append("=").append(level_names[static_cast<std::size_t>(levels[i])]);
  }
  return text;
}

std::string allowed_verbosity() {
  return "[SUBJECT=]LEVEL[,...]; a LEVEL is " + listed(level_names, ", ") + ", 0 or 1; a SUBJECT " +
         listed(topic_names, ", ");
}

std::string wrong_verbose_file(std::string_view pattern) {
  for (std::size_t at = pattern.find('%'); at != pattern.npos; at = pattern.find('%', at + 1)) {
    const std::string_view behind = pattern.substr(at + 1);
    if (std::ranges::none_of(verbose_file_words, [&](std::string_view word) { return behind.starts_with(word); })) {
      return "not known behind %; allowed there: " + listed(verbose_file_words, " or ");
    }
  }
  return {};
}

}  // namespace espalier
