// SPDX-License-Identifier: Apache-2.0
#include "settings/site/layers.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "core/bad_description.hpp"
#include "core/reversed.hpp"
#include "settings/words.hpp"

namespace espalier {

namespace {

constexpr std::string_view name_of_site_file = "ESPALIER_SITE_FILE=";

std::string site_file_in(std::span<const char* const> environment) {
  for (const std::string_view variable : environment) {
    if (variable.starts_with(name_of_site_file)) return std::string(variable.substr(name_of_site_file.size()));
  }
  return "auto";
}

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::string place_of(const SettingsFile& file, int line) { return file.name + ":" + std::to_string(line); }

// Whole, or without its domain.
bool is_for_host(const HostPart& part, const std::string& host) {
  return matches(part.match, host) || matches(part.match, host.substr(0, host.find('.')));
}

void take(const SettingsFile& file, const std::vector<FileSetting>& from, Origin origin, Settings& settings) {
  for (const FileSetting& one : from) {
    (void)assign(settings_table[one.setting], one.text, settings);  // which the reader of the file has tried
    settings.origins[one.setting] = origin;
    settings.places[one.setting] = place_of(file, one.line);
  }
}

// Backwards, so that the first one that has a setting is the last to give it.
void take(const SettingsFile& file, Origin origin, const std::string& host, Settings& settings) {
  take(file, file.settings, origin, settings);
  for (const HostPart& part : reversed(file.hosts)) {
    if (is_for_host(part, host)) take(file, part.settings, origin, settings);
  }
}

std::string first_match(const std::vector<std::string>& patterns, const std::vector<std::string>& names) {
  for (const std::string& pattern : patterns) {
    if (std::ranges::any_of(names, [&](const std::string& name) { return matches(pattern, name); })) return pattern;
  }
  return "";
}

// Why this file switches all off; empty: it does not.
std::string why_off(const SettingsFile& file, const ThisProcess& process, std::string (*user_name)()) {
  if (file.disabled_in_line > 0) return place_of(file, file.disabled_in_line) + ": enabled = false";
  if (const std::string found = first_match(file.off.programs, process.programs); !found.empty()) {
    return file.name + ": [off] programs has '" + found + "'";
  }
  if (file.off.users.empty()) return "";
  const std::string found = first_match(file.off.users, {process.user_id, user_name()});
  return found.empty() ? "" : file.name + ": [off] users has '" + found + "'";
}

bool is_within(const SettingLimit& limit, const Settings& settings) {
  const Setting& setting = settings_table[limit.setting];
  if (!is_number(setting))
    return std::ranges::find(limit.allowed, value_text(setting, settings)) != limit.allowed.end();
  Settings highest;
  (void)assign(setting, limit.allowed.front(), highest);
  return !is_above(setting, settings, highest);
}

std::string beyond_limits(const SettingsFile& file, const Settings& settings) {
  for (const SettingLimit& limit : file.limits) {
    if (is_within(limit, settings)) continue;
    const Setting& setting = settings_table[limit.setting];
    const std::vector<std::string_view> words(limit.allowed.begin(), limit.allowed.end());
    return shown_with_value(limit.setting, settings) +
           ": beyond the site's limit; allowed: " + (is_number(setting) ? "up to " : "") + join_words(words, " or ") +
           " (" + place_of(file, limit.line) + ")";
  }
  return "";
}

}  // namespace

ParsedSettings layered_settings(std::span<const char* const> environment, const FoundSettingsFiles& files,
                                const ThisProcess& process, std::string (*user_name)()) {
  ParsedSettings parsed;
  parsed.off = files.off;
  if (files.site) take(*files.site, Origin::site, process.host, parsed.settings);
  if (files.user) take(*files.user, Origin::user, process.host, parsed.settings);
  std::string error = read_environment(environment, parsed.settings);
  if (error.empty() && files.site) error = beyond_limits(*files.site, parsed.settings);
  if (!error.empty()) return refused_settings(std::move(error));
  if (parsed.off.empty() && files.site) parsed.off = why_off(*files.site, process, user_name);
  if (parsed.off.empty() && files.user) parsed.off = why_off(*files.user, process, user_name);
  return parsed;
}

ParsedSettings layered_settings(std::span<const char* const> environment, const ThisProcess& process) try {
  return layered_settings(environment, find_settings_files(site_file_in(environment)), process, espalier::user_name);
} catch (const BadDescription& bad) {
  return refused_settings(bad.what());
} catch (const UnreadableFile& bad) {
  return refused_settings(bad.what());
}

ParsedSettings layered_settings(std::span<const char* const> environment) try {
  const FoundSettingsFiles files = find_settings_files(site_file_in(environment));
  if (!files.site && !files.user) return layered_settings(environment, files, {}, espalier::user_name);
  return layered_settings(environment, files, this_process(), espalier::user_name);
} catch (const BadDescription& bad) {
  return refused_settings(bad.what());
} catch (const UnreadableFile& bad) {
  return refused_settings(bad.what());
}

}  // namespace espalier
