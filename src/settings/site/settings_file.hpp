// SPDX-License-Identifier: Apache-2.0
// A file of settings, the site's or a user's, as it stands (docs/how-to/leave-it-on-for-everybody.md has the format):
//
//   cache = 128                        any setting, by its name without ESPALIER_
//   [[hosts]]                          the same for hosts of these names alone; the first entry that has one counts
//   match = "node[0-9]*"
//   topology = "/etc/espalier/torus.toml"
//   [limits]                           of the site's alone: what users may not go beyond
//   budget = "5%"
//   [off]                              for whom all is off
//   programs = ["gmx*"]
//
// `enabled = false` switches all off, whatever else is set.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "settings/table.hpp"

namespace espalier {

struct FileSetting {
  std::size_t setting = 0;  // in the table
  std::string text;
  int line = 0;
};

struct HostPart {
  std::string match;  // fnmatch's
  std::vector<FileSetting> settings;
};

struct SettingLimit {
  std::size_t setting = 0;
  std::vector<std::string> allowed;  // the words; or the one highest value of a number
  int line = 0;
};

// For which programs and users; fnmatch's patterns.
struct OffPart {
  std::vector<std::string> programs, users;
};

struct SettingsFile {
  std::string name;
  int disabled_in_line = 0;  // `enabled = false`; 0: it does not say so
  std::vector<FileSetting> settings;
  std::vector<HostPart> hosts;
  std::vector<SettingLimit> limits;
  OffPart off;
};

enum class FileOf : std::uint8_t { user, site };

inline constexpr std::size_t max_settings_file_bytes = std::size_t{1} << 20;

// Throws BadDescription, which names file, line, setting, value and what is allowed.
[[nodiscard]] SettingsFile settings_file_from(std::string_view text, const std::string& name, FileOf of);

[[nodiscard]] bool is_number(const Setting& setting);
// Whether a number's value is higher than its limit.
[[nodiscard]] bool is_above(const Setting& setting, const Settings& value, const Settings& limit);

}  // namespace espalier
