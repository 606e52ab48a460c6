// SPDX-License-Identifier: Apache-2.0
// info: the version, and every setting with its value and where that came from.
#include <memory>

#include "select/forced.hpp"
#include "settings/site/layers.hpp"
#include "settings/table.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"
#include "topology/readers/read_machine.hpp"

namespace espalier::tool {

namespace {

constexpr std::string_view origin_names[] = {"default", "site", "user", "environment"};

std::string_view origin_name(Origin origin) { return origin_names[static_cast<std::size_t>(origin)]; }

// With the line of its file.
std::string origin_text(const Settings& settings, std::size_t i) {
  const std::string& place = settings.places[i];
  return std::string(origin_name(settings.origins[i])) + (place.empty() ? "" : place.substr(place.rfind(':')));
}

ParsedSettings settings_on(const std::string& host) {
  ThisProcess process = this_process();
  if (!host.empty()) process.host = host;
  ParsedSettings parsed = checked_settings(layered_settings(process_environment(), process));
  if (!parsed.ok()) throw BadRequest(parsed.error);
  return parsed;
}

// Those that are there.
std::vector<std::string> files_in_use(const Settings& settings) {
  std::vector<std::string> files;
  const FoundSettingsFiles found = find_settings_files(settings.site_file);
  if (found.user) files.push_back(found.user->name);
  if (found.site) files.push_back(found.site->name);
  return files;
}

Json as_json(const ParsedSettings& parsed) {
  const Settings& settings = parsed.settings;
  Json list = Json::array();
  for (std::size_t i = 0; i < settings_table.size(); ++i) {
    const Setting& setting = settings_table[i];
    list.push_back({{"name", setting.name},
                    {"value", value_text(setting, settings)},
                    {"origin", origin_name(settings.origins[i])},
                    {"place", settings.places[i]},
                    {"default", setting.default_text},
                    {"allowed", allowed_text(setting)},
                    {"description", setting.description}});
  }
  return {{"version", ESPALIER_VERSION}, {"files", files_in_use(settings)}, {"off", parsed.off}, {"settings", list}};
}

std::string as_text(const ParsedSettings& parsed) {
  const Settings& settings = parsed.settings;
  TextTable table = {{"setting", "value", "from", "allowed"}};
  for (std::size_t i = 0; i < settings_table.size(); ++i) {
    const std::string value = value_text(settings_table[i], settings);
    table.push_back({std::string(settings_table[i].name), value.empty() ? "-" : value, origin_text(settings, i),
                     allowed_text(settings_table[i])});
  }
  std::string text = "Espalier " ESPALIER_VERSION "\n";
  for (const std::string& file : files_in_use(settings)) text += "settings from " + file + "\n";
  if (!parsed.off.empty()) text += "off: " + parsed.off + "\n";
  return text + "\n" + format_table(table);
}

// Refuses a description that the library would go on without.
void check_files(const Settings& settings) {
  if (settings.topology.empty()) return;
  (void)read_machine(text_of("ESPALIER_TOPOLOGY", settings.topology), settings.topology);
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "The version, and every setting with its value and its origin.");
  const CLI::Option* json = add_json_flag(*command);
  const CLI::Option* check =
      command->add_flag("--check")->description("Also read the file that ESPALIER_TOPOLOGY names");
  const auto host = std::make_shared<std::string>();
  command->add_option("--host", *host, "As they would be on a host of this name");
  command->callback([json, check, host] {
    const ParsedSettings parsed = settings_on(*host);
    if (check->count() > 0) check_files(parsed.settings);
    if (json->count() > 0) return print_json(as_json(parsed));
    print(as_text(parsed));
  });
}

}  // namespace espalier::tool
