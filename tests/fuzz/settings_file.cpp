// SPDX-License-Identifier: Apache-2.0
#include "settings/site/settings_file.hpp"

#include "core/bad_description.hpp"
#include "target.hpp"

namespace espalier::fuzz {
namespace {

void run(std::string_view text) try {
  const SettingsFile file = settings_file_from(text, "f", FileOf::site);
  Settings settings;
  for (const FileSetting& one : file.settings) {
    require(assign(settings_table[one.setting], one.text, settings).empty(), "a file has a setting that is refused");
  }
} catch (const BadDescription&) {
  // Refused.
}

const Registration registration("settings_file", run);

}  // namespace
}  // namespace espalier::fuzz
