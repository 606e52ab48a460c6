// SPDX-License-Identifier: Apache-2.0
// Where files of settings lie. They are believed only where nobody but the user or root may write
// (files/trusted_directory.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "settings/site/settings_file.hpp"

namespace espalier {

struct FoundSettingsFiles {
  std::optional<SettingsFile> user, site;
  std::string off;  // the file next to the site's that switches all off; then no other is read
};

// `site_file`: as ESPALIER_SITE_FILE has it. Throws BadDescription and UnreadableFile, which name the file.
[[nodiscard]] FoundSettingsFiles find_settings_files(const std::string& site_file);

// Where the site's file may be; the first that is there counts.
[[nodiscard]] std::vector<std::string> site_places(const std::string& site_file);
// Empty without a home.
[[nodiscard]] std::string user_place();

}  // namespace espalier
