// SPDX-License-Identifier: Apache-2.0
// The environment: NAME=value with a zero byte behind each.
#include "settings/settings.hpp"

#include <string>

#include "select/forced.hpp"
#include "settings/table.hpp"
#include "settings/words.hpp"
#include "target.hpp"

namespace espalier::fuzz {
namespace {

// What is written of each setting means the same again.
void check_values(const Settings& settings) {
  Settings again;
  for (const Setting& setting : settings_table) {
    require(assign(setting, value_text(setting, settings), again).empty(), "a value is refused once it was written");
  }
  require(hash_of(again) == hash_of(settings), "a value is another one once it was written");
}

void run(std::string_view text) {
  const std::string kept(text);
  std::vector<const char*> environment;
  for (const std::string_view variable : split(kept, '\0')) environment.push_back(variable.data());
  const ParsedSettings parsed = checked_settings(environment);
  require(parsed.ok() || !parsed.settings.enabled, "wrong settings do not switch off");
  check_values(parsed.settings);
}

const Registration registration("settings", run);

}  // namespace
}  // namespace espalier::fuzz
